import { useEffect, useId, useRef } from 'react';
import kit from '../kit.module.css';
import { Button } from '../button.tsx';
import { toLocalTime, zoneOf } from '../time.tsx';
import styles from './picker.module.css';
import { spanFaults, type TimeSpan } from './span.ts';

const ENDS = [
  ['since', 'From'],
  ['until', 'Until'],
] as const;

/** Fields for a beginning and an end, by the user's own clock. Each counts as soon as it has a whole time. */
export function TimeRange({ span, set }: { span: TimeSpan; set: (change: TimeSpan) => void }) {
  const faults = spanFaults(span);
  return ENDS.map(([name, label]) => (
    <TimeField
      key={name}
      label={label}
      value={span[name]}
      fault={faults[name] ?? null}
      set={(value) => set({ [name]: value })}
    />
  ));
}

const HOUR_MS = 3_600_000;
const NEAR_MS = 600_000;

const PRESETS: [label: string, begin: () => number][] = [
  ['Today', () => new Date().setHours(0, 0, 0, 0)],
  ['Last 24 hours', () => Date.now() - 24 * HOUR_MS],
  ['Last 7 days', () => Date.now() - 7 * 24 * HOUR_MS],
];

/** Spans of time up to now, one click each; another click takes it away. */
export function TimePresets({ span, set }: { span: TimeSpan; set: (change: TimeSpan) => void }) {
  const { since, until } = span;
  return (
    <div className={`${kit.row} ${styles.presets}`}>
      {PRESETS.map(([label, begin]) => {
        const isChosen =
          since !== undefined && until === undefined && Math.abs(Date.parse(since) - begin()) < NEAR_MS;
        return (
          <Button
            key={label}
            aria-pressed={isChosen}
            onClick={() =>
              set({ since: isChosen ? undefined : new Date(begin()).toISOString(), until: undefined })
            }
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}

type FieldProps = {
  label: string;
  value: string | undefined;
  fault: string | null;
  set: (value: string | undefined) => void;
};

function TimeField({ label, value, fault, set }: FieldProps) {
  const id = useId();
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
    <label className={styles.field}>
      <span className={`${kit.small} ${kit.muted} ${styles.name}`}>
        {label} ({zoneOf(value)})
      </span>
      {fault === null ? null : (
        <span id={id} className={`${kit.small} ${kit.fault}`} role="alert">
          {fault}
        </span>
      )}
      <input
        ref={field}
        type="datetime-local"
        className={kit.input}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : id}
        defaultValue={shown}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
