import { useEffect, useRef } from 'react';
import kit from '../kit.module.css';
import { toLocalTime, zoneOf } from '../time.tsx';

const ENDS = [
  ['since', 'From'],
  ['until', 'Until'],
] as const;

/** A beginning and an end, as UTC, so that an address means the same time for every reader; absent: open. */
export type TimeSpan = { since?: string | undefined; until?: string | undefined };

/** Fields for a beginning and an end, by the user's own clock. Each counts as soon as it has a whole time. */
export function TimeRange({ span, set }: { span: TimeSpan; set: (change: TimeSpan) => void }) {
  return ENDS.map(([name, label]) => (
    <TimeField key={name} label={label} value={span[name]} set={(value) => set({ [name]: value })} />
  ));
}

type FieldProps = { label: string; value: string | undefined; set: (value: string | undefined) => void };

function TimeField({ label, value, set }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const shown = toLocalTime(value);
  // A field in which the user types is the user's.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = shown;
  }, [shown]);
  const change = (text: string): void => {
    // The first digits of a year make a year too.
    if (text !== '' && text < '1970') return;
    set(text === '' ? undefined : new Date(text).toISOString());
  };
  return (
    <label className={kit.row}>
      <span className={kit.muted}>
        {label} ({zoneOf(value)})
      </span>
      <input
        ref={field}
        type="datetime-local"
        className={kit.input}
        defaultValue={shown}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
