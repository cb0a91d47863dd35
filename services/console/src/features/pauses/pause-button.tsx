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
  format: 'date-time',
  description: 'When the pause ends automatically. Empty: when someone resumes.',
};

/** What is paused: one destination, or all of them if it is null. */
export type Subject = { type: string; name: string } | null;

/** The path of the calls that pause and resume a subject. */
export const pausePath = (subject: Subject): string =>
  subject ? destinationPath(subject.type, subject.name) : 'sys/sync';

const callOf = (subject: Subject, values: Edits): Call => ({
  method: 'POST',
  path: `${pausePath(subject)}/pause`,
  body: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
});

/** Asks for a reason, and pauses. */
export function PauseButton({ subject }: { subject: Subject }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton call={callOf(subject, {})} onClick={() => setIsOpen(true)}>
        {subject ? 'Pause…' : 'Pause syncing…'}
      </GuardedButton>
      {isOpen ? <PauseDialog subject={subject} close={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** The question before that. */
export function PauseDialog({ subject, close }: { subject: Subject; close: () => void }) {
  const queries = useQueryClient();
  return (
    <SchemaDialog
      title={subject ? `Pause ${subject.name}` : 'Pause syncing to all destinations'}
      action="Pause"
      fields={[REASON, UNTIL]}
      callOf={(values) => callOf(subject, values)}
      carryOut={async (values) => {
        await carryOut(callOf(subject, values));
        await queries.invalidateQueries();
      }}
      close={close}
    >
      <p>
        Changes are kept. Nothing is written to or deleted from {subject ? 'the store' : 'any store'} until
        syncing is resumed.
      </p>
    </SchemaDialog>
  );
}
