import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
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
  return (
    <Field label={label} about={fault ? '' : note} fault={fault}>
      {(control) => <LineInput {...control} {...field} id={control.id} />}
    </Field>
  );
}
