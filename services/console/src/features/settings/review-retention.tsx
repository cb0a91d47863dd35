import { useState } from 'react';
import { call as ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { useOnce } from '../../api/once.ts';
import type { EditAnswer } from '../../schema-form/edit-form.tsx';

/** The kind of the settings that say how long old data are kept, and their attribute. */
export const RETENTION = 'data-retention';
export const DAYS = 'delete-older-than-n-days';

const DAY_MS = 86_400_000;
const MANY = 1000;

/** Asks before old data are deleted for good: names what goes, and how much of it is known. */
export function ReviewRetention({ days, call, answer }: { days: number; call: Call; answer: EditAnswer }) {
  const [typed, setTyped] = useState('');
  const [work] = useState(() => () => countEntries(days));
  const { data, failure } = useOnce(work);
  const name = String(days);
  return (
    <FormDialog
      title={`Delete what is older than ${days === 1 ? 'a day' : `${days} days`}`}
      action="Save and delete it"
      isDangerous
      isReady={typed === name}
      close={answer.close}
      call={call}
      carryOut={answer.save}
    >
      <p>
        From the next night on, these are deleted for good once they are older than that, in every namespace:
        entries of the audit trail, the history of syncing, and versions of secrets that were deleted.
      </p>
      <p role="status">
        {data === undefined ? (
          failure ? null : (
            <span className={kit.muted}>Counting…</span>
          )
        ) : (
          <strong>
            Of the audit trail, {data < MANY ? data.toLocaleString('en') : 'a thousand or more'}{' '}
            {data === 1 ? 'entry goes' : 'entries go'} now.
          </strong>
        )}
      </p>
      {failure ? <FailureNotice failure={failure} /> : null}
      <TypedName name={name} typed={typed} set={setTyped} />
    </FormDialog>
  );
}

// How many entries of the audit trail are older now; the trail has no count, so many are only counted up to `MANY`.
async function countEntries(days: number): Promise<number> {
  type Counted = { data: unknown[]; meta: { pagination: { 'next-after': string | null } } };
  const until = new Date(Date.now() - days * DAY_MS).toISOString();
  let count = 0;
  let next: string | null = '';
  while (next !== null && count < MANY) {
    const query = new URLSearchParams({ 'filter[until]': until, 'page[size]': '100' });
    if (next !== '') query.set('page[after]', next);
    const answer: { data: Counted } = await ask('GET', `/api/v2/admin/audit-events?${query.toString()}`);
    count += answer.data.data.length;
    next = answer.data.meta.pagination['next-after'];
  }
  return count;
}
