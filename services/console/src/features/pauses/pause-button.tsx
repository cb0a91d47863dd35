import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, IF_ABSENT } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { isOvertaking, type ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { ownSummaryQuery, summaryQuery } from '../../api/summary.ts';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { pauseText } from './pause-author.tsx';

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
  // Whoever paused it meanwhile had a reason, which this one must not replace unseen.
  headers: IF_ABSENT,
  rights: [rightFor('POST', `${pausePath(subject)}/pause`)],
  body: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')),
});

/** Asks for a reason, and pauses; the question stays if somebody else pauses meanwhile. */
export function PauseButton({ subject, isPaused }: { subject: Subject; isPaused: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {isPaused ? null : (
        <GuardedButton call={callOf(subject, {})} onClick={() => setIsOpen(true)}>
          {subject ? 'Pause…' : 'Pause syncing…'}
        </GuardedButton>
      )}
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
        try {
          await carryOut(callOf(subject, values));
        } catch (error) {
          throw isOvertaking(error) ? await tellOther(error, { queries, subject }) : error;
        }
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

// The refusal, with the pause that there is now in the words of this page.
async function tellOther(
  refusal: ApiFailure,
  { queries, subject }: { queries: QueryClient; subject: Subject },
): Promise<ApiFailure> {
  const reading = subject
    ? queries.fetchQuery({ ...ownSummaryQuery(subject.type, subject.name), staleTime: 0 })
    : queries.fetchQuery({ ...summaryQuery, staleTime: 0 });
  const now = await reading.catch(() => null);
  return now?.paused
    ? refusal.withProblems([{ detail: `Not paused again. ${pauseText(now.paused)}` }])
    : refusal;
}
