import { useId, type ComponentProps } from 'react';
import kit from '../kit.module.css';
import { LineInput } from './line-input.tsx';

/** A field for one line with its label and a note, in whose place a fault stands. */
export function LabelledLine({
  label,
  note = '',
  fault = '',
  ...field
}: ComponentProps<typeof LineInput> & {
  label: string;
  note?: string;
  /** Why it cannot be taken; empty if it can. */
  fault?: string | undefined;
}) {
  const id = useId();
  const text = fault || note;
  return (
    <div className={kit.field}>
      <label className={kit.label} htmlFor={id}>
        {label}
      </label>
      <LineInput
        {...field}
        id={id}
        aria-invalid={fault !== ''}
        aria-describedby={text ? `${id}-about` : undefined}
      />
      {text ? (
        <p id={`${id}-about`} className={`${kit.small} ${fault ? kit.fault : kit.muted}`}>
          {text}
        </p>
      ) : null}
    </div>
  );
}
