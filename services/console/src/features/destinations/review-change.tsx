import { useEffect, useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { ifRevision } from '../../api/client.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { useOnce } from '../../api/once.ts';
import { Skeleton } from '../../kit/page.tsx';
import { counted } from '../../kit/text/counted.ts';
import { namesOfSecrets } from '../../schema-form/fields.ts';
import {
  CheckNotice,
  describeRefusal,
  describeSuccess,
  isAccepted,
  isRejected,
  tryCredentials,
  type Checked,
} from '../plans/check.tsx';
import { countFailing, planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { entries } from '../problems/retry-button.tsx';
import { checkOf } from './check-typed.tsx';

const NOT_TESTED: Checked | null = null;

/** Asks before settings of a destination are saved: tests changed credentials, and shows what the store will get. */
export function ReviewChange({
  type,
  name,
  schema,
  body,
  revision,
  total,
  save,
  close,
  refuse,
}: {
  type: string;
  name: string;
  schema: DestinationTypeAnswer;
  /** The body of the call that saves. */
  body: Record<string, unknown>;
  revision: string;
  /** The number of links; null while it is not known. */
  total: number | null;
  /** `result`: what to say of the test once it is saved. */
  save: (result: string) => Promise<void>;
  close: () => void;
  refuse: (refusal: unknown) => void;
}) {
  const isOfConnection = schema.settings.some((field) => Object.hasOwn(body, field.name));
  const [work] = useState(
    () => () => (isOfConnection ? tryCredentials(checkOf(type, name, body)) : Promise.resolve(NOT_TESTED)),
  );
  const { data: checked, failure, isPending } = useOnce(work);
  useEffect(() => {
    if (failure) refuse(failure);
  }, [failure, refuse]);
  const path = destinationPath(type, name);
  const isDoubtful = checked ? !isAccepted(checked) : false;
  const isRefused = checked ? isRejected(checked) : false;
  return (
    <PlannedDialog
      title={`Save the settings of ${name}`}
      type={type}
      store={name}
      name={name}
      plan={planOf(type, name, { destination: body }, rightFor('PATCH', path))}
      action={(changes, plan) => (isRefused ? 'Save anyway' : textOf(changes, plan, isDoubtful))}
      isBlocked={isPending}
      isCareful={isDoubtful}
      endsWait={isOfConnection}
      instead={isRefused ? <Stopping total={total} /> : undefined}
      refuse={refuse}
      call={{ method: 'PATCH', path, body, headers: ifRevision(revision) }}
      secrets={namesOfSecrets(schema.settings)}
      carryOut={() => save(resultOf(checked ?? null))}
      close={close}
    >
      {isPending && isOfConnection ? <Skeleton rows={1} /> : null}
      {checked ? <CheckNotice checked={checked} of="Credentials" fields={schema.settings} /> : null}
      {body['drift_check'] === true && total !== 0 ? <Repairing store={name} /> : null}
    </PlannedDialog>
  );
}

function Repairing({ store }: { store: string }) {
  return (
    <p>
      From now on, entries that someone changed or deleted in {store} are written again at the next drift
      check. The preview doesn’t show which. To see them first, verify the links.
    </p>
  );
}

// The plan compares values only, and with such credentials none of them is written.
function Stopping({ total }: { total: number | null }) {
  if (total === 0) return <p>No secrets are linked.</p>;
  const links = total === null ? 'All links' : counted(total, 'link');
  return (
    <p>
      <strong>{links} won’t sync</strong> until the destination has settings and credentials that work.
    </p>
  );
}

function textOf(changes: number | null, plan: PlanAnswer | undefined, isDoubtful: boolean): string {
  const save = isDoubtful ? 'Save anyway' : 'Save';
  const failing = plan ? countFailing(plan).later : 0;
  if (changes === 0 && failing > 0) return `${save}, ${entries(failing)} will fail`;
  if (changes === 0) return isDoubtful ? save : 'Save, no entry changes';
  const most = plan?.totals.unknown ? 'up to ' : '';
  return `${save} and change ${changes === null ? 'the store' : `${most}${entries(changes)}`}`;
}

function resultOf(checked: Checked | null): string {
  if (!checked) return '';
  if ('untested' in checked) return 'Connection not tested. ';
  if (checked.answer.ok) return `${describeSuccess(checked.answer, 'Credentials')} `;
  if (!isRejected(checked)) return 'Whether the store accepts the destination is unknown. ';
  return `${describeRefusal(checked.answer, 'Credentials')}; the links will show it. `;
}
