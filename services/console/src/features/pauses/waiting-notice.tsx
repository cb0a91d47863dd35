import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DecisionAnswer, WaitingAnswer } from '../../../../api/contract/pause.ts';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { changeWords } from '../../../../../libs/telling/attempts.ts';
import { carryOut } from '../../api/client.ts';
import { destinationPath } from '../../api/queries.ts';
import { useAttempt } from '../../kit/attempt.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { deedOf, deedOfCause, effectOf, shortDeedOfCause } from './deeds.ts';

type Linked = { type: string; name: string; secret: { mount: string; path: string } };

type Decided = Linked & {
  decision: DecisionAnswer | undefined;
  /** Of a secret whose keys are entries of their own, those that it is about, as far as known. */
  keys: string[];
  /** The rate limit of the store holds it back. */
  isLimited: boolean;
};

/** Says what a person asked for that waits for the end of a pause or for the store, and withdraws it. */
export function AskedNotice({
  waiting,
  isBehind,
  ...decided
}: Decided & {
  waiting: WaitingAnswer | undefined;
  /** The store lacks the newest version. */
  isBehind: boolean;
}) {
  const { type, name, secret } = decided;
  if (waiting) return <WaitingNotice {...{ type, name, secret, waiting, isBehind }} />;
  return <DecisionNotice {...decided} />;
}

function WaitingNotice({
  waiting,
  isBehind,
  ...linked
}: Linked & { waiting: WaitingAnswer; isBehind: boolean }) {
  const deed = deedOf(waiting);
  if (deed === undefined) return null;
  const { by, withdrawable: isWithdrawable } = waiting;
  const isSave = waiting.cause === 'write' && waiting.decision === null;
  return (
    <Notice tone="limited">
      <div className={`${kit.row} ${kit.spread}`}>
        <p>
          {waiting.decision && waiting.keys ? deedOn(waiting.decision, waiting.keys) : deed}{' '}
          {isSave
            ? `waits for the pause to end, because ${by ? actorText(by) : 'someone'} ${deedOfWrite(waiting)}.`
            : `${by ? `was asked for by ${actorText(by)} and ` : ''}waits for the pause to end.`}
          {waiting.overwrites_drift && !isSave && effectOf(waiting) ? ` It ${effectOf(waiting)}.` : null}
          {waiting.decision ? ` ${meanwhile(waiting)}` : null}
          {unlinksAgain(waiting)}
          {isWithdrawable ? keepingOf(waiting, isBehind) : ` ${insteadOf(waiting)}`}
        </p>
        {isWithdrawable ? <Withdraw {...linked} /> : null}
      </div>
    </Notice>
  );
}

// Long enough to read it. What comes after that has words of its own.
const SAID_MS = 10_000;

// What a person decided about the entry of a link and no attempt has carried out yet.
function DecisionNotice({ decision, keys, isLimited, ...linked }: Decided) {
  const [withdrawn, setWithdrawn] = useState<string | null>(null);
  if (decision && withdrawn !== null) setWithdrawn(null);
  useEffect(() => {
    if (withdrawn === null) return undefined;
    const timer = setTimeout(() => setWithdrawn(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [withdrawn]);
  if (!decision)
    return withdrawn === null ? null : <Notice tone="info">{shortDeedOfCause(withdrawn)} withdrawn.</Notice>;
  const { kind, by } = decision;
  return (
    <Notice tone="limited">
      <div className={`${kit.row} ${kit.spread}`}>
        <p>
          {keys.length > 0 && kind !== 'recreate' ? deedOn(kind, keys) : deedOfCause(kind)} was asked for
          {by ? ` by ${actorText(by)}` : ''}. {whenDone(isLimited)} {meanwhile(decision)}
          {unlinksAgain(decision)}
        </p>
        <Withdraw {...linked} done={() => setWithdrawn(kind)} />
      </div>
    </Notice>
  );
}

function whenDone(isLimited: boolean): string {
  return isLimited
    ? 'Sealift does it once the rate limit of the store has ended.'
    : 'Sealift does it when it tries again, or at once if you choose Sync now.';
}

// What becomes of what somebody changes in the store before that is carried out.
function meanwhile({ spares_changes: spares }: Pick<DecisionAnswer, 'spares_changes'>): string {
  if (spares === undefined) return '';
  return spares
    ? 'A change that someone makes in the meantime to what Sealift has read there stays.'
    : 'It also replaces a change that someone makes there in the meantime.';
}

function unlinksAgain({ withdraw_unlinks: unlinks }: Pick<DecisionAnswer, 'withdraw_unlinks'>): string {
  return unlinks ? ' It took back an unlinking. If you choose Withdraw, that goes on.' : '';
}

function deedOn(kind: string, keys: string[]): string {
  const [entry, key] = keys.length === 1 ? ['entry', 'key'] : ['entries', 'keys'];
  return `${shortDeedOfCause(kind)} the ${entry} of ${key} ${keys.join(', ')}`;
}

function Withdraw({ type, name, secret, done }: Linked & { done?: () => void }) {
  const queries = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const call = {
    method: 'POST' as const,
    path: `${destinationPath(type, name)}/associations/withdraw`,
    body: { mount: secret.mount, secret_name: secret.path },
  };
  const withdraw = () =>
    attempt(async () => {
      await carryOut(call);
      await queries.invalidateQueries();
      done?.();
    });
  return (
    <>
      <Action call={call} busy={busy} onClick={() => void withdraw()}>
        Withdraw
      </Action>
      <Refusal failure={failure} />
    </>
  );
}

// How what someone changed in the store outlasts an unlinking. A version that was saved meanwhile is written once that is withdrawn.
function keepingOf({ cause, overwrites_drift: overwrites }: WaitingAnswer, isBehind: boolean): string {
  if (cause !== 'unlink' || !overwrites) return '';
  return isBehind
    ? ' Withdraw keeps the link, and then the new version overwrites that change: to keep it, save the store’s value in the secret first.'
    : ' To keep that change, choose Withdraw: it keeps the link, and writes nothing.';
}

function deedOfWrite({ change }: WaitingAnswer): string {
  if (!change) return 'saved a new version';
  const { what, deed } = changeWords(change);
  return `${deed} ${what}`;
}

// What to do about what cannot be withdrawn.
function insteadOf({ cause, recreates, overwrites_drift: overwrites }: WaitingAnswer): string {
  if (cause === 'link' || cause === 'relink') return 'To withdraw that, choose Unlink.';
  if (recreates && !overwrites)
    return 'To leave the entry deleted, choose Unlink, or remove its key from the secret to keep the entries of its other keys.';
  if (cause === 'write' || cause === 'schedule')
    return 'To keep the change, save the store’s value in the secret: it stays once the newest version has it. If the store shows its values, Verify tells whether it has.';
  if (cause === 'unlink')
    return 'It can’t be withdrawn. To keep the link, choose Keep this link: it links the secret again and writes its value.';
  return 'It can’t be withdrawn any more, because a worker has begun it.';
}
