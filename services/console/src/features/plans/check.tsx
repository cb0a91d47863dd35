import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { CheckAnswer } from '../../../../api/contract/plans.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { Notice } from '../../kit/notice.tsx';
import { capitalise, closeSentence } from '../../kit/text/capitalise.ts';
import { titleOf, withLabels } from '../../schema-form/fields.ts';
import { partsOfMessage, titleOfCause } from '../../../../../libs/telling/cause-titles.ts';

/** The result of a test of credentials; `untested`: why there was none. */
export type Checked = { answer: CheckAnswer } | { untested: unknown };

// Where a name is taken, it is 412.
const OF_FIELDS = new Set([400, 412, 422]);

/** Tests credentials at the store. Throws a refusal of the settings or the name themselves, which belongs to their fields. */
export async function tryCredentials(call: Call): Promise<Checked> {
  try {
    return { answer: await ask<CheckAnswer>(call) };
  } catch (untested) {
    if (untested instanceof ApiFailure && OF_FIELDS.has(untested.status)) throw untested;
    return { untested };
  }
}

type Step = NonNullable<CheckAnswer['step']>;

// What stands behind each step once it has passed.
const PASSED: Record<Step, string> = {
  credentials: 'identity found',
  token: 'token signed',
  exchange: 'exchanged for access',
  role: 'role taken',
  permission: 'rights tried',
};

// Without a word for the credentials themselves: the sentence begins with them.
const STEPS: Partial<Record<Step, string>> = {
  token: 'identity token',
  exchange: 'exchange of the identity token',
  role: 'role, service account or installation',
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

/** A refusal in a few words; `credentials`: which were tested. Without a step, nobody has looked at them. */
export function describeRefusal({ mode, step, cause }: CheckAnswer, credentials: string): string {
  if (step === null && cause) return titleOfCause(cause.code);
  return mode === 'static' || mode === 'app' ? `${credentials} rejected` : 'Connection refused';
}

/** The fields that an answer names, which are not about credentials: what is said at the first, and nothing at the others. */
export function faultsOfSettings(
  checked: Checked | null,
  fields: Pick<FieldAnswer, 'name' | 'title'>[],
): Record<string, string> {
  const cause = checked && 'answer' in checked ? checked.answer.cause : null;
  return cause?.code === 'configuration_invalid' ? faultsNamed(cause.message, fields) : {};
}

/** The fields whose labels a text has, with the text at the first. */
export function faultsNamed(
  text: string,
  fields: Pick<FieldAnswer, 'name' | 'title'>[],
): Record<string, string> {
  const said = withLabels(text, fields);
  const named = fields.filter((field) => said.toLowerCase().includes(titleOf(field).toLowerCase()));
  return Object.fromEntries(named.map(({ name }, index) => [name, index === 0 ? said : '']));
}

/** What a test that succeeded has shown. There are `credentials`, such as "Stored credentials", only in some modes. */
export function describeSuccess({ mode, steps, ms }: CheckAnswer, credentials: string): string {
  if (mode === 'static' || mode === 'app') return `${credentials} accepted (${ms} ms).`;
  const signedIn =
    mode === 'federated' ? 'Signed in with an identity token' : 'Signed in as the worker itself';
  return `${signedIn} (${ms} ms): ${steps.map((step) => PASSED[step]).join(', ')}.`;
}

/**
 * `of`: which credentials were tested, such as "Stored credentials"; `rest`: what else to say if they are good; `fields`:
 * those of the form, whose names the store's answer may have.
 */
export function CheckNotice({
  checked,
  of,
  rest = '',
  fields = [],
}: {
  checked: Checked;
  of: string;
  rest?: string;
  fields?: Pick<FieldAnswer, 'name' | 'title'>[];
}) {
  if ('untested' in checked) {
    return (
      <>
        <FailureNotice failure={checked.untested} />
        <Notice tone="limited">Connection not tested.</Notice>
      </>
    );
  }
  const { ok, cause, step } = checked.answer;
  if (ok) return <Notice tone="ok">{`${describeSuccess(checked.answer, of)} ${rest}`.trim()}</Notice>;
  const place = step ? STEPS[step] : undefined;
  const reason = cause ? withLabels(cause.message, fields) : 'the store gave no reason';
  if (isRejected(checked)) {
    const said = describeRefusal(checked.answer, of);
    return <Notice tone="person">{`${said}${place ? ` (${place})` : ''}: ${reason}`}</Notice>;
  }
  const { text, id } = partsOfMessage(reason);
  return (
    <Notice tone="limited">
      {place ? `Failed: ${place}. ` : ''}
      {capitalise(closeSentence(text))}
      {id ? ` (Request ${id}.)` : ''}
      {place ? '' : ' Whether the store accepts the destination is unknown.'}
    </Notice>
  );
}
