import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { carryOut } from '../../api/client.ts';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { statusByCause } from '../../kit/status.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { agreedTo, decisionOn, ifUnchanged, ONLY_SEEN, planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { unlinkedText, unlinkText } from '../plans/unlink-text.ts';
import { ReplacedNotice } from '../pauses/replaced-notices.tsx';
import { noteDone } from '../../kit/results/latest.tsx';
import { entries } from '../problems/retry-button.tsx';
import type { SecretName } from '../secrets/split-path.ts';
import { VerifyButton } from './verify.tsx';

type Linked = { type: string; name: string; secret: SecretName };

const PRIMARY = { kind: 'primary' } as const;

/** What can be done about one secret at one destination. Syncing passes the secret on. */
export function Actions({
  canSyncHelp,
  records,
  ...linked
}: Linked & { canSyncHelp: boolean; records: RecordAnswer[] }) {
  const [first] = records;
  const { type, name, secret } = linked;
  const [opened, setOpened] = useState<'sync' | 'unlink' | null>(null);
  const path = `${destinationPath(type, name)}/associations`;
  const body = { mount: secret.mount, secret_name: secret.path };
  const decision = decisionOn(records.map(({ cause }) => cause?.code));
  const set: Call = {
    method: 'POST',
    path: `${path}/set`,
    body: { ...body, ...decision, ...ifUnchanged(first) },
    rights: [rightFor('POST', `${path}/set`), readOf(secret)],
  };
  const remove: Call = { method: 'POST', path: `${path}/remove`, body };
  const close = (): void => setOpened(null);
  // What a comparison found no longer holds once somebody has synced.
  const [syncs, setSyncs] = useState(0);
  const [isAgain, setIsAgain] = useState(false);

  return (
    <div className={`${kit.stack} ${kit.leading}`}>
      <div className={kit.row}>
        {hasVersion(records) ? (
          <Action
            call={set}
            shortcut={{ key: 's', label: 'Sync now' }}
            {...(canSyncHelp && !records.some(({ drift }) => drift) ? PRIMARY : {})}
            onClick={() => setOpened('sync')}
          >
            {first?.unlinking ? 'Keep this link…' : 'Sync now'}
          </Action>
        ) : null}
        <VerifyButton
          key={syncs}
          {...linked}
          records={records}
          call={{ method: 'POST', path: `${path}/verify`, body }}
        />
        {first?.waiting?.cause === 'unlink' ? null : (
          <GuardedButton call={remove} kind="danger" onClick={() => setOpened('unlink')}>
            Unlink…
          </GuardedButton>
        )}
      </div>
      {syncs > 0 && first && isOnlyLimited(first) ? <LimitedNotice /> : null}
      {isAgain && first?.unlinking ? <UnlinkingNotice /> : null}
      {opened === 'sync' ? (
        <Sync {...{ ...linked, decision, of: first, close }} call={set} sync={() => setSyncs(syncs + 1)} />
      ) : null}
      {opened === 'unlink' ? (
        <Unlink {...linked} of={first} call={remove} close={close} again={() => setIsAgain(true)} />
      ) : null}
    </div>
  );
}

// What it says of the unlinking is the same as before.
function UnlinkingNotice() {
  return <Notice tone="info">Unlinking was asked for again. Sealift tries it at once.</Notice>;
}

// Without one, the page says what can be done instead.
function hasVersion(records: RecordAnswer[]): boolean {
  return records.some(({ source_version: version, unlinking }) => version !== null || unlinking);
}

function isOnlyLimited({ sync_status: status, last_failure: last, decision }: RecordAnswer): boolean {
  return statusByCause(status, last) === 'THROTTLED' && !decision;
}

// Nothing else on the page tells that it was asked for.
function LimitedNotice() {
  return (
    <Notice tone="info">Syncing was asked for. It begins once the rate limit of the store has ended.</Notice>
  );
}

function Sync({
  type,
  name,
  secret,
  call,
  decision,
  of,
  close,
  sync,
}: Linked & {
  of: RecordAnswer | undefined;
  call: Call;
  /** What becomes of an entry of somebody else. */
  decision: ReturnType<typeof decisionOn>;
  close: () => void;
  /** It was asked for. */
  sync: () => void;
}) {
  const queries = useQueryClient();
  return (
    <PlannedDialog
      title={of?.unlinking ? `Keep ${secret.path} linked` : `Sync ${secret.path} now`}
      type={type}
      store={name}
      name={name}
      plan={planOf(type, name, {
        secrets: [{ mount: secret.mount, secret_name: secret.path }],
        ...decision,
        ...ONLY_SEEN,
      })}
      action={syncText}
      close={close}
      call={call}
      carryOut={async (plan) => {
        await carryOut(agreedTo(call, plan));
        sync();
        await queries.invalidateQueries();
      }}
    >
      <ReplacedNotice waiting={of?.waiting} />
      {of?.unlinking && !of.waiting ? <WithdrawnNotice /> : null}
    </PlannedDialog>
  );
}

function syncText(changes: number | null, plan: PlanAnswer | undefined): string {
  if (!changes) return 'Sync';
  return `${plan?.totals.overwrite === changes ? 'Overwrite' : 'Write'} ${entries(changes)}`;
}

function WithdrawnNotice() {
  return (
    <Notice tone="limited">
      This secret is being unlinked. This withdraws that: it links the secret again and writes its value.
    </Notice>
  );
}

function Unlink({
  type,
  name,
  secret,
  of,
  call,
  close,
  again,
}: Linked & {
  of: RecordAnswer | undefined;
  call: Call;
  close: () => void;
  /** It was asked for once more. */
  again: () => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <PlannedDialog
      title={`Unlink ${secret.path}`}
      type={type}
      store={name}
      name={name}
      plan={planOf(type, name, {
        secrets: [{ mount: secret.mount, secret_name: secret.path }],
        unlink: true,
      })}
      action={(changes) => unlinkText(1, changes)}
      close={close}
      call={call}
      carryOut={async (plan) => {
        await carryOut(call);
        // It fails so far, so the page has more to say.
        if (of?.unlinking) {
          again();
          await queries.invalidateQueries();
          return;
        }
        noteDone(unlinkedText(`${secret.mount}/${secret.path}`, name, plan));
        await queries.invalidateQueries();
        await navigate({
          to: '/destinations/$type/$name',
          params: { type, name },
          search: {},
          ignoreBlocker: true,
        });
      }}
    >
      <ReplacedNotice waiting={of?.waiting} />
      <p>The secret itself isn’t deleted, nor is an entry in the store that isn’t managed by Sealift.</p>
    </PlannedDialog>
  );
}
