import type { ComponentProps } from 'react';
import kit from '../kit/kit.module.css';
import { toLocalTime } from '../kit/time.tsx';

/** A field for a time. The user chooses it by the own clock, and `change` gets it as UTC, or null. */
export function TimeInput({
  value,
  change,
  ...control
}: Omit<ComponentProps<'input'>, 'value'> & { value: unknown; change: (value: unknown) => void }) {
  return (
    <input
      {...control}
      type="datetime-local"
      className={kit.input}
      defaultValue={toLocalTime(value)}
      onChange={({ target }) => change(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  );
}
