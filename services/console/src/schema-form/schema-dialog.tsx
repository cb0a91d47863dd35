import { useState, type ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/answers.ts';
import type { Call } from '../api/curl.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { sortFaults } from './fields.ts';
import { SchemaForm, type Edits } from './schema-form.tsx';

/** A dialog whose fields come from a schema; faults stand at their fields. Throws nothing: a refusal is shown in it. */
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
  /** The call that the values come to; absent where it is no single one. */
  callOf?: (values: Edits) => Call;
  carryOut: (values: Edits) => Promise<void>;
  close: () => void;
  /** What stands above the fields. */
  children?: ReactNode;
}) {
  const [edits, setEdits] = useState<Edits>({});
  return (
    <FormDialog {...dialog} call={callOf?.(edits)} carryOut={() => carryOut(edits)}>
      {(failure) => {
        const faults = sortFaults(failure, fields);
        const body = (
          <>
            {children}
            <SchemaForm fields={fields} values={{}} edits={edits} faults={faults.byField} edit={setEdits} />
          </>
        );
        return { body, rest: faults.rest };
      }}
    </FormDialog>
  );
}
