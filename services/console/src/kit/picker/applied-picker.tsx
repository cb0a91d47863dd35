import { useId, useState, type KeyboardEvent } from 'react';
import kit from '../kit.module.css';
import { matchingOptions, type Option } from './options.ts';
import styles from './picker.module.css';
import { Picker } from './picker.tsx';

type Filter = {
  value: string;
  options: Option[];
  /** What an option is, where only an option counts, and not any text; a part of one is enough. */
  noun?: string | undefined;
  /** What counts although it is no option. */
  other?: RegExp;
  follow?: (text: string) => void;
  apply: (value: string) => void;
};

/**
 * A filter that is typed or chosen. The start of a name is no filter yet: a field counts when something is chosen, when it
 * is left, or at Enter, and says so until then. `follow` gets what is in it until then.
 */
export function AppliedPicker({ label, ...filter }: Filter & { label: string }) {
  const { value, options } = filter;
  const id = useId();
  const { text, fault, change, commit, press } = useTyped(filter);
  const applied = options.find(({ code }) => code === value)?.value ?? value;
  const isApplied = text === null || text === applied;
  return (
    <div className={styles.field}>
      <span className={`${kit.small} ${kit.muted}`} aria-hidden>
        {label}
      </span>
      <span id={id} className={`${kit.small} ${fault === null ? '' : kit.fault}`} role="status">
        {fault ?? (isApplied ? '' : 'Press Enter to apply')}
      </span>
      <Picker
        aria-label={label}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : id}
        options={options}
        value={text ?? applied}
        change={change}
        pick={commit}
        onKeyDown={press}
        onBlur={() => text !== null && commit(text)}
      />
    </div>
  );
}

// What is typed and not applied yet, null if nothing is; and what is wrong with it.
function useTyped({ value, options, noun, other, follow, apply }: Filter) {
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const change = (next: string): void => {
    setText(next);
    setFault(null);
    follow?.(next);
  };
  // A name is of an option first: a part of one is enough.
  const needsChoice = (next: string): boolean =>
    noun !== undefined && next !== '' && !meantBy(next, options) && !other?.test(next);
  const commit = (next: string): void => {
    const found = meantBy(next, options);
    if (needsChoice(next)) return setFault(faultOf(next, options, noun ?? ''));
    const option = noun === undefined ? options.find((one) => one.value === next) : found;
    const wanted = next === '' ? '' : (option?.code ?? option?.value ?? next);
    setText(null);
    setFault(null);
    if (wanted !== value) apply(wanted);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter') return;
    // The list stays open while it has to be chosen from.
    if (text && needsChoice(text)) commit(text);
    else event.currentTarget.blur();
  };
  return { text, fault, change, commit, press };
}

// The option with this name or code, or else the only one that has the text in it.
function meantBy(text: string, options: Option[]): Option | undefined {
  const matches = matchingOptions(options, text);
  return (
    options.find(({ value, code }) => value === text || code === text) ??
    (matches.length === 1 ? matches[0] : undefined)
  );
}

function faultOf(text: string, options: Option[], noun: string): string {
  const { length } = matchingOptions(options, text);
  return length === 0 ? `No ${noun} matches. Choose one.` : `${length} ${noun}s match. Choose one.`;
}
