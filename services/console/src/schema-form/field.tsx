import { useId, useState } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';
import { optionsOf } from '../kit/picker/options.ts';
import { Picker } from '../kit/picker/picker.tsx';
import { AnyText } from '../kit/text/any-text.tsx';
import { LineInput } from '../kit/text/line-input.tsx';
import { LongText } from '../kit/text/long-text.tsx';
import { ChoiceInput } from './choice-input.tsx';
import { fromText, kindOf, textOf, titleOf, toText, wordOf, type FieldKind } from './fields.ts';
import { notesOf } from './notes.ts';
import { Secret } from './secret.tsx';
import { TimeInput } from './time-input.tsx';

type Props = {
  field: FieldAnswer;
  value: unknown;
  edited: { value: unknown } | undefined;
  fault: string | undefined;
  /** What names the stored secret, if that is known. */
  inUse: string | undefined;
  /** Why the field cannot be changed; empty if it can. */
  locked: string;
  change: (value: unknown) => void;
  keep: () => void;
};

/** One field with its label, its description and its fault. */
export function Field(props: Props) {
  const { field, fault } = props;
  const id = useId();
  const kind = kindOf(field, props.value);
  const notes = notesOf({ ...props, kind, title: titleOf(field) });
  const describedBy = [notes ? `${id}-about` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  const control = {
    id,
    'aria-invalid': fault !== undefined,
    'aria-required': field.is_required === true,
    'aria-describedby': describedBy || undefined,
  };
  return (
    <div className={kit.field} data-wrong={fault ? true : undefined}>
      {kind === 'switch' ? (
        <Switch {...props} control={control} />
      ) : (
        <>
          <span>
            <label className={kit.label} htmlFor={id}>
              {titleOf(field)}
              {field.storedOnly ? <StoredOnly /> : null}
            </label>
            {field.is_required ? (
              <span className={`${kit.small} ${kit.muted}`} aria-hidden>
                {' '}
                required
              </span>
            ) : null}
          </span>
          {field.sensitive ? (
            <Secret {...props} isLong={kind === 'long'} control={control} />
          ) : (
            <Plain {...props} kind={kind} control={control} />
          )}
        </>
      )}
      {notes ? (
        <p id={`${id}-about`} className={`${kit.small} ${kit.muted}`}>
          {notes}
        </p>
      ) : null}
      {fault ? (
        <p id={`${id}-fault`} className={kit.fault}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}

function StoredOnly() {
  return (
    <>
      {' '}
      <span className={kit.chip}>Not used by Sealift</span>
    </>
  );
}

type Control = {
  id: string;
  'aria-invalid': boolean;
  'aria-required': boolean;
  'aria-describedby': string | undefined;
};

function Switch({ field, value, edited, locked, change, control }: Props & { control: Control }) {
  const isOn = Boolean(edited ? edited.value : (value ?? field.default));
  return (
    <label className={kit.check}>
      <input
        {...control}
        type="checkbox"
        checked={isOn}
        disabled={locked !== ''}
        onChange={(event) => change(event.target.checked)}
      />
      <span className={kit.label}>{titleOf(field)}</span>
      {field.storedOnly ? <StoredOnly /> : null}
    </label>
  );
}

function Plain(props: Props & { kind: FieldKind; control: Control }) {
  const { field, value, edited, locked, change, kind, control } = props;
  const [text, setText] = useState<string | null>(null);
  const shown = edited && text !== null ? text : toText(kind, edited ? edited.value : (value ?? ''));
  const type = (next: string): void => {
    setText(next);
    change(fromText(kind, next));
  };
  const common = { ...control, disabled: locked !== '' };
  if (kind === 'choice')
    return <ChoiceInput {...common} {...choiceOf(field, edited?.value ?? value)} change={change} />;
  if (kind === 'time') return <TimeInput {...common} value={edited?.value ?? value} change={change} />;
  const rest = { ...common, value: shown, change: type };
  if (kind === 'list' && field.suggestions) {
    const lines = shown.split('\n').filter(Boolean);
    return (
      <>
        <LongText {...rest} />
        <AddWord
          about={titleOf(field)}
          words={field.suggestions}
          lines={lines}
          add={(line) => type([...lines, line].join('\n'))}
        />
      </>
    );
  }
  if (kind === 'list' || kind === 'pairs' || kind === 'json' || kind === 'long')
    return <LongText {...rest} />;
  const placeholder =
    field.default === undefined || field.default === null ? '' : wordOf(field, textOf(field.default));
  if (kind === 'text' && field.suggestions)
    return <Picker {...rest} options={optionsOf(field.suggestions)} placeholder={placeholder} />;
  if (kind === 'number') return <LineInput {...rest} inputMode="numeric" placeholder={placeholder} />;
  return <AnyText {...rest} placeholder={placeholder} />;
}

function choiceOf(field: FieldAnswer, value: unknown) {
  const words = (field.enum ?? []).filter((word) => word !== '');
  return {
    value: textOf(value ?? field.default ?? ''),
    words: words.map((word): [string, string] => [word, wordOf(field, word)]),
    unset: field.default === undefined ? 'Default' : `Default: ${wordOf(field, textOf(field.default))}`,
  };
}

// Adds one word to a list: a known one, or another one that is typed.
function AddWord({
  about,
  words,
  lines,
  add,
}: {
  about: string;
  words: string[];
  lines: string[];
  add: (line: string) => void;
}) {
  const [text, setText] = useState('');
  const take = (word: string): void => {
    setText('');
    if (word.trim() !== '' && !lines.includes(word.trim())) add(word.trim());
  };
  return (
    <div className={kit.row}>
      <Picker
        aria-label={`Add to ${about}`}
        placeholder="Choose or type"
        options={optionsOf(words.filter((word) => !lines.includes(word)))}
        value={text}
        change={setText}
        pick={take}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          take(text);
        }}
      />
      <Button aria-label={`Add ${text.trim()}`} disabled={text.trim() === ''} onClick={() => take(text)}>
        Add
      </Button>
    </div>
  );
}
