import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';

const REASON: FieldAnswer = { name: 'reason', description: 'Shown to everyone who finds it paused.' };
const UNTIL: FieldAnswer = {
  name: 'until',
  description: 'When the pause ends by itself, such as 2027-01-31T08:00:00Z. Empty: when someone resumes.',
};

/** What is paused: one destination, or all of them if it is null. */
export type Subject = { type: string; name: string } | null;

/** The path of the calls that pause and resume a subject. */
export const pausePath = (subject: Subject): string =>
  subject ? destinationPath(subject.type, subject.name) : 'sys/sync';

/** Asks for a reason, and pauses. */
export function PauseButton({ subject }: { subject: Subject }) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const callOf = (values: Edits): Call => ({
    method: 'POST',
    path: `${pausePath(subject)}/pause`,
    body: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
  });
  return (
    <>
      <GuardedButton call={callOf({})} onClick={() => setIsOpen(true)}>
        {subject ? 'Pause…' : 'Pause syncing…'}
      </GuardedButton>
      {isOpen ? (
        <SchemaDialog
          title={subject ? `Pause ${subject.name}` : 'Pause syncing to all destinations'}
          action="Pause"
          fields={subject ? [REASON, UNTIL] : [REASON]}
          callOf={callOf}
          carryOut={async (values) => {
            await carryOut(callOf(values));
            await queries.invalidateQueries();
          }}
          close={() => setIsOpen(false)}
        >
          <p>
            Changes are kept. Nothing is written to or deleted from {subject ? 'the store' : 'any store'}{' '}
            until syncing is resumed.
          </p>
        </SchemaDialog>
      ) : null}
    </>
  );
}
