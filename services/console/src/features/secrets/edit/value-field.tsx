import { useId, useState } from 'react';
import kit from '../../../kit/kit.module.css';
import { LongText } from '../../../kit/text/long-text.tsx';
import { valueOf, type Typed } from './change.ts';
import { FileButton, type FileText } from '../../../kit/text/file-button.tsx';

const FORMATS: Record<Typed['format'], string> = {
  text: 'Text',
  number: 'Number',
  json: 'JSON (true, null, list, object)',
};

/** A value, and what it is meant as. `note`: what the user should know of it. */
export function ValueField({
  label,
  of,
  typed,
  note = '',
  autoFocus = false,
  isShown = false,
  change,
}: {
  label: string;
  /** The key. */
  of: string;
  typed: Typed;
  note?: string;
  autoFocus?: boolean;
  /** The user has asked to see the value. */
  isShown?: boolean;
  change: (typed: Typed) => void;
}) {
  const id = useId();
  const [loaded, setLoaded] = useState('');
  const parsed = valueOf(typed);
  const fault = 'fault' in parsed && typed.text !== '' ? parsed.fault : '';
  return (
    <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
      <LongText
        aria-label={label}
        aria-invalid={fault !== ''}
        aria-describedby={id}
        isSecret
        isShownFirst={isShown}
        autoFocus={autoFocus}
        value={typed.text}
        change={(text) => {
          setLoaded('');
          change({ ...typed, text });
        }}
      />
      <div id={id} className={kit.small}>
        {fault ? <p className={kit.fault}>{fault}</p> : null}
        {note ? <p role="status">{note}</p> : null}
        {loaded ? <p role="status">{loaded}</p> : null}
      </div>
      <div className={kit.row}>
        <FormatChoice of={of} format={typed.format} choose={(format) => change({ ...typed, format })} />
        <FileButton
          label={`Load a file: ${of}`}
          take={(file) => {
            if (!('fault' in file)) change({ format: 'text', text: file.text });
            setLoaded(describe(file));
          }}
        />
      </div>
    </div>
  );
}

function FormatChoice({
  of,
  format,
  choose,
}: {
  of: string;
  format: Typed['format'];
  choose: (format: Typed['format']) => void;
}) {
  return (
    <label className={kit.row}>
      <span className={kit.small}>Type</span>
      <select
        className={`${kit.input} ${kit.search}`}
        aria-label={`Type of ${of}`}
        value={format}
        onChange={(event) => choose(event.target.value as Typed['format'])}
      >
        {Object.entries(FORMATS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function describe(file: FileText): string {
  if ('fault' in file) return `${file.name} was not loaded. ${file.fault}`;
  return file.isBase64
    ? `${file.name} is not a text file, so its content is in Base64.`
    : `Loaded ${file.name}.`;
}
