import { useState, type ComponentProps, type ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Call } from '../api/curl.ts';
import type { Problem } from '../api/failure.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { findTypedFaults, findMissing } from './faults.ts';
import { namesOfSecrets, sortFaults } from './fields.ts';
import { SchemaForm, type Edits } from './schema-form.tsx';

type Props = {
  title: string;
  /** The text of its button, which may depend on what is typed. */
  action: string | ((values: Edits) => string);
  /** The same while it runs; absent: the text stays. */
  running?: string | undefined;
  isDangerous?: boolean;
  needsToken?: boolean;
  isReady?: boolean;
  fields: FieldAnswer[];
  /** What is stored now; absent: nothing. */
  values?: Record<string, unknown>;
  /** The call that the values lead to; null if the dialog makes no call. */
  callOf: ((values: Edits) => Call) | null;
  meanwhile?: ComponentProps<typeof FormDialog>['meanwhile'];
  /** Hears what is typed. */
  listen?: (values: Edits) => void;
  /** Faults besides those that the fields tell, for which no call is needed. */
  findFaults?: (values: Edits) => Problem[];
  /** `token`: the one that the user entered, if the dialog asks for one. */
  carryOut: (values: Edits, token: string) => Promise<void>;
  close: () => void;
  /** Content above the fields. */
  children?: ReactNode;
  /** Content below the fields, which may depend on what is typed. */
  below?: (values: Edits) => ReactNode;
};

/** A dialog with fields from a schema. Faults are shown at their fields. Throws nothing: the dialog shows refusals. */
export function SchemaDialog({
  fields,
  values = {},
  action,
  callOf,
  listen = () => undefined,
  findFaults = () => [],
  carryOut,
  children,
  below,
  ...dialog
}: Props) {
  const [edits, setEdits] = useState<Edits>({});
  return (
    <FormDialog
      {...dialog}
      action={typeof action === 'string' ? action : action(edits)}
      call={callOf?.(edits) ?? null}
      secrets={namesOfSecrets(fields)}
      findFaults={() => [
        ...findMissing(fields, { values, edits }),
        ...findTypedFaults(fields, { values, edits }),
        ...findFaults(edits),
      ]}
      carryOut={(token) => carryOut(edits, token)}
    >
      {(failure) => {
        const faults = sortFaults(failure, fields);
        const body = (
          <>
            {children}
            <SchemaForm
              fields={fields}
              values={values}
              edits={edits}
              faults={faults.byField}
              edit={(next) => {
                setEdits(next);
                listen(next);
              }}
            />
            {below?.(edits)}
          </>
        );
        return { body, rest: faults.rest, wrong: faults.wrong };
      }}
    </FormDialog>
  );
}
