import { useState, type ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Call } from '../api/curl.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { namesOfSecrets, sortFaults } from './fields.ts';
import { SchemaForm, type Edits } from './schema-form.tsx';

/** A dialog with fields from a schema. Faults are shown at their fields. Throws nothing: the dialog shows refusals. */
export function SchemaDialog({
  fields,
  callOf,
  carryOut,
  children,
  ...dialog
}: {
  title: string;
  action: string;
  isDangerous?: boolean;
  fields: FieldAnswer[];
  /** The call that the values lead to; null if the dialog makes no call. */
  callOf: ((values: Edits) => Call) | null;
  carryOut: (values: Edits) => Promise<void>;
  close: () => void;
  /** Content above the fields. */
  children?: ReactNode;
}) {
  const [edits, setEdits] = useState<Edits>({});
  return (
    <FormDialog
      {...dialog}
      call={callOf?.(edits) ?? null}
      secrets={namesOfSecrets(fields)}
      carryOut={() => carryOut(edits)}
    >
      {(failure) => {
        const faults = sortFaults(failure, fields);
        const body = (
          <>
            {children}
            <SchemaForm fields={fields} values={{}} edits={edits} faults={faults.byField} edit={setEdits} />
          </>
        );
        return { body, rest: faults.rest, wrong: faults.wrong };
      }}
    </FormDialog>
  );
}
