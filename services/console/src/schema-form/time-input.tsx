import type { ComponentProps } from 'react';
import kit from '../kit/kit.module.css';

/** A field for a time. The user chooses it by the own clock, and `change` gets it as UTC, or null. */
export function TimeInput({
  value,
  change,
  ...control
}: Omit<ComponentProps<'input'>, 'value'> & { value: unknown; change: (value: unknown) => void }) {
  const time = new Date(typeof value === 'string' ? value : '');
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return (
    <input
      {...control}
      type="datetime-local"
      className={kit.input}
      defaultValue={Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 16)}
      onChange={({ target }) => change(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  );
}
