import type { CheckAnswer } from '../../../../api/contract/plans.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { Notice } from '../../kit/notice.tsx';

/** The result of a test of credentials; `untested`: why there was none. */
export type Checked = { answer: CheckAnswer } | { untested: unknown };

/** Tests credentials at the store. Throws a refusal of the settings themselves, which belongs to their fields. */
export async function tryCredentials(call: Call): Promise<Checked> {
  try {
    return { answer: await ask<CheckAnswer>(call) };
  } catch (untested) {
    if (untested instanceof ApiFailure && (untested.status === 400 || untested.status === 422))
      throw untested;
    return { untested };
  }
}

const STEPS: Record<NonNullable<CheckAnswer['step']>, string> = {
  credentials: 'stored credentials',
  token: 'identity token',
  exchange: 'exchange of the identity token',
  role: 'role or service account',
  permission: 'permissions at the store',
};

export function isAccepted(checked: Checked): boolean {
  return 'answer' in checked && checked.answer.ok;
}

/** Whether the store has refused them. If it did not answer, nobody knows. */
export function isRejected(checked: Checked): boolean {
  if (!('answer' in checked) || checked.answer.ok) return false;
  return checked.answer.cause?.class !== 'EXTERNAL_SERVICE_ERROR';
}

/** `of`: which credentials were tested, such as "Stored credentials"; `rest`: what else to say if they are good. */
export function CheckNotice({ checked, of, rest = '' }: { checked: Checked; of: string; rest?: string }) {
  if ('untested' in checked) {
    return (
      <>
        <FailureNotice failure={checked.untested} />
        <Notice tone="limited">{of} not tested.</Notice>
      </>
    );
  }
  const { ok, cause, step, ms } = checked.answer;
  if (ok) return <Notice tone="ok">{`${of} accepted (${ms} ms). ${rest}`.trim()}</Notice>;
  if (isRejected(checked))
    return (
      <Notice tone="person">
        {`${of} rejected${step ? ` (${STEPS[step]})` : ''}: ${cause?.message ?? 'the store gave no reason'}`}
      </Notice>
    );
  return (
    <Notice tone="limited">
      {step ? `Failed: ${STEPS[step]}. ` : ''}
      {cause?.message} Whether the store accepts the credentials is unknown.
    </Notice>
  );
}
