import { useState } from 'react';
import type { RetentionPreviewAnswer } from '../../../../api/contract/administration.ts';
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

const MANY = 1000;
// A number of one digit is typed too easily.
const WORD = 'delete';

/** Whether data that are kept now would be deleted. Without a policy, some of them are kept for ever. */
export function isShorter(days: unknown, before: unknown): boolean {
  return Number(days) > 0 && (typeof before !== 'number' || Number(days) < before);
}

/** Asks before old data are deleted for good: names what goes, and how much of it is known. */
export function ReviewRetention({ days, call, answer }: { days: number; call: Call; answer: EditAnswer }) {
  const [typed, setTyped] = useState('');
  const [work] = useState(() => () => countOld(days));
  const { data, failure } = useOnce(work);
  return (
    <FormDialog
      title={`Delete data older than ${counted(days, 'day')}`}
      action="Save and delete"
      isDangerous
      isReady={typed === WORD}
      close={answer.close}
      call={call}
      carryOut={() => answer.save()}
    >
      <p>
        Starting tonight, older data is deleted permanently in every namespace: audit entries, sync history,
        and deleted versions of secrets.
        {data && data['audit-days'] > days
          ? ` Audit entries stay ${counted(data['audit-days'], 'day')}.`
          : ''}
      </p>
      <p role="status">
        {data === undefined ? (
          failure ? null : (
            <span className={kit.muted}>Counting…</span>
          )
        ) : (
          <strong>
            {isNothing(data) ? (
              'Nothing is old enough yet.'
            ) : (
              <>
                {amount(data['audit-entries'], 'audit entry', 'audit entries')},{' '}
                {amount(data['history-entries'], 'entry', 'entries')} of the sync history and{' '}
                {amount(data['deleted-versions'], 'deleted version', 'deleted versions')} of secrets will be
                deleted first.
              </>
            )}
          </strong>
        )}
      </p>
      {failure ? <FailureNotice failure={failure} /> : null}
      <TypedName name={WORD} typed={typed} set={setTyped} />
    </FormDialog>
  );
}

function isNothing(data: RetentionPreviewAnswer['data']['attributes']): boolean {
  return data['audit-entries'] + data['history-entries'] + data['deleted-versions'] === 0;
}

// Many are counted only up to `MANY`.
function amount(count: number, one: string, many: string): string {
  return count < MANY ? counted(count, one, many) : `1,000 or more ${many}`;
}

async function countOld(days: number): Promise<RetentionPreviewAnswer['data']['attributes']> {
  const path = `/api/v2/admin/data-retention-policy-settings/preview?days=${days}`;
  return (await ask<RetentionPreviewAnswer>('GET', path)).data.data.attributes;
}
