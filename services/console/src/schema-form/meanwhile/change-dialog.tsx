import { useState, type ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { SchemaDialog } from '../schema-dialog.tsx';
import type { Edits } from '../schema-form.tsx';
import { useBegun, type Present } from './begun.tsx';

type Values = Record<string, unknown>;

type Props = Omit<ComponentProps<typeof SchemaDialog>, 'callOf' | 'carryOut' | 'meanwhile' | 'listen'> & {
  /** Reads anew what is stored, before it is saved; absent: nothing is stored yet. */
  reread: (() => Promise<Present>) | undefined;
  /** The call that the edits lead to, over the values with which the dialog began. */
  callOf: (edits: Edits, begun: Values) => Call;
  carryOut: (edits: Edits, token: string, begun: Values) => Promise<void>;
};

/** A dialog that changes something stored. What someone else has changed meanwhile is shown before it is replaced. */
export function ChangeDialog({ values = {}, reread, callOf, carryOut, ...dialog }: Props) {
  const [edits, setEdits] = useState<Edits>({});
  const { begun, meanwhile } = useBegun<Present>({
    fields: dialog.fields,
    stored: { values },
    describe: (present) => present,
    reread,
    yoursOver: () => edits,
    close: dialog.close,
  });
  return (
    <SchemaDialog
      {...dialog}
      values={begun.values}
      meanwhile={meanwhile}
      listen={setEdits}
      callOf={(typed) => callOf(typed, begun.values)}
      carryOut={(typed, token) => carryOut(typed, token, begun.values)}
    />
  );
}
