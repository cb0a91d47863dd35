import { useState } from 'react';
import { call as ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { useOnce } from '../../api/once.ts';
import { counted } from '../../kit/text/counted.ts';
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
      title={`Delete data older than ${counted(days, 'day')}`}
      action="Save and delete"
      isDangerous
      isReady={typed === name}
      close={answer.close}
      call={call}
      carryOut={answer.save}
    >
      <p>
        Starting tonight, older data is deleted permanently in every namespace: audit entries, sync history,
        and deleted versions of secrets.
      </p>
      <p role="status">
        {data === undefined ? (
          failure ? null : (
            <span className={kit.muted}>Counting…</span>
          )
        ) : (
          <strong>
            {data < MANY ? counted(data, 'audit entry', 'audit entries') : '1,000 or more audit entries'} will
            be deleted first.
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
