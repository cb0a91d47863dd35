import { useId } from 'react';
import kit from '../../../kit/kit.module.css';
import { LongText } from '../../../kit/text/long-text.tsx';
import { valueOf, type Typed } from './change.ts';

/** A value, and whether it is meant as a text or as JSON. `note`: what the user should know of it. */
export function ValueField({
  label,
  of,
  typed,
  note = '',
  change,
}: {
  label: string;
  /** The key. */
  of: string;
  typed: Typed;
  note?: string;
  change: (typed: Typed) => void;
}) {
  const id = useId();
  const parsed = valueOf(typed);
  const fault = 'fault' in parsed && typed.text !== '' ? parsed.fault : '';
  return (
    <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
      <LongText
        aria-label={label}
        aria-invalid={fault !== ''}
        aria-describedby={id}
        isSecret
        value={typed.text}
        change={(text) => change({ ...typed, text })}
      />
      <div id={id} className={kit.small}>
        {fault ? <p className={kit.fault}>{fault}</p> : null}
        {note ? <p role="status">{note}</p> : null}
      </div>
      <label className={kit.row}>
        <span className={kit.small}>Stored as</span>
        <select
          className={`${kit.input} ${kit.search}`}
          aria-label={`Stored as: ${of}`}
          value={typed.format}
          onChange={(event) => change({ ...typed, format: event.target.value === 'json' ? 'json' : 'text' })}
        >
          <option value="text">Text, exactly as it stands</option>
          <option value="json">JSON: a number, true, null, a list, an object</option>
        </select>
      </label>
    </div>
  );
}
