import { useRef, type ComponentProps } from 'react';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { toLocalTime } from '../../kit/time.tsx';

const HOUR_MS = 60 * 60 * 1000;
const MORNING = 8;

// A thumb sets no wheels.
const SOON = [
  ['In 1 hour', () => new Date(Date.now() + HOUR_MS)],
  ['Next 8:00', nextMorning],
] as const;

/** A field for a time. The user chooses it by the own clock, and `change` gets it as UTC, or null. */
export function TimeInput({
  value,
  change,
  ...control
}: Omit<ComponentProps<'input'>, 'value'> & { value: unknown; change: (value: unknown) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const set = (time: Date): void => {
    const text = toLocalTime(time.toISOString());
    if (field.current) field.current.value = text;
    change(new Date(text).toISOString());
  };
  return (
    <div className={kit.row}>
      <input
        {...control}
        ref={field}
        type="datetime-local"
        className={kit.input}
        defaultValue={toLocalTime(value)}
        onChange={({ target }) => change(target.value === '' ? null : new Date(target.value).toISOString())}
      />
      {SOON.map(([label, time]) => (
        <Button key={label} disabled={control.disabled} onClick={() => set(time())}>
          {label}
        </Button>
      ))}
    </div>
  );
}

function nextMorning(): Date {
  const morning = new Date();
  if (morning.getHours() >= MORNING) morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);
  return morning;
}
