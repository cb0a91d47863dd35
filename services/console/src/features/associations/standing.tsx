import { lazy, Suspense } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import kit from '../../kit/kit.module.css';
import { STATUSES } from '../../kit/status.tsx';
import { LastChanged } from '../destinations/last-changed.tsx';
import { decidedIn } from './conflict/decided.ts';
import { driftIn } from './drift/known-drift.ts';
import { Unlinking } from './ended/unlinking.tsx';
import type { FormerConflict, LinkAttempt } from './attempts.ts';
import { AlreadyThere, MayBeGone, Unsure } from './doubts/doubts.tsx';
import { isLeaving, isUnsure } from './entries.tsx';
import { NoVersion } from './ended/no-version.tsx';
import { mayBeGone } from './doubts/last-known.ts';
import { Heading, isBehind, lastFailureOf } from './heading.tsx';
import { CauseOfLink } from '../problems/cause-of-link.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { CauseTitle } from '../problems/cause-title.tsx';
import { Remedy } from '../problems/remedy.tsx';
import { RATE_LIMITED } from '../problems/since.tsx';
import { StoreFailure, useStoreFailure } from '../problems/store-failure.tsx';
import { Rename } from './rename.tsx';
import type { SecretName } from '../secrets/split-path.ts';

// Most links have none of these.
const Conflict = lazy(async () => ({ default: (await import('./conflict/conflict.tsx')).Conflict }));
const Drifts = lazy(async () => ({ default: (await import('./drift/drift.tsx')).Drifts }));
const AskedNotice = lazy(async () => ({
  default: (await import('../pauses/waiting-notice.tsx')).AskedNotice,
}));

type Linked = { type: string; name: string; secret: SecretName };

type StandingProps = Linked & {
  records: RecordAnswer[];
  lastConflict: FormerConflict | undefined;
};

type WholeProps = StandingProps & {
  /** Newest first. */
  attempts: LinkAttempt[];
};

/** The status of a link: why it is so, since when, and what can end it. */
export function Standing({ records, lastConflict, attempts, ...linked }: WholeProps) {
  const worst = worstOf(records);
  const failure = useStoreFailure(linked, worst);
  if (!worst) return null;
  const last = lastFailureOf(worst);
  // The panel of a conflict says what to do about that.
  const drift = worst.cause?.code === 'conflict' ? null : driftIn(records, worst);
  const isLimited = worst.sync_status === 'THROTTLED' || (last ?? worst.cause)?.code === RATE_LIMITED.code;
  const cause = isLimited ? RATE_LIMITED : (last ?? worst.cause);
  const isDrift = cause !== null && cause.code === drift?.code;
  // Otherwise it may be that of its destination, whatever the link failed for before.
  const isOwn = cause?.code === attempts[0]?.cause?.code;
  // Nothing fails: it is held back.
  const isHeld = isLimited || (worst.sync_status === 'PENDING' && !last);
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-label="Status">
      <Heading {...linked} {...{ records, worst, cause, isDrift, isHeld, isLimited, isOwn }} />
      {cause ? (
        <div>
          <CauseTitle code={cause.code} />
          {cause.code === 'conflict' && isDecided(worst) ? (
            <Decided />
          ) : (
            <CauseOfLink {...{ ...linked, cause, isHeld, isOwn }} />
          )}
          {isHeld ? null : <LastChanged type={linked.type} name={linked.name} />}
        </div>
      ) : null}
      <StoreFailure type={linked.type} incident={failure} />
      <NoVersion
        {...linked}
        {...{ records, isHeld }}
        isWaiting={cause !== null || failure !== undefined}
        of={worst}
      />
      <MayBeGone {...{ records, attempts }} />
      <Unsure of={worst} />
      <AlreadyThere of={worst} />
      {drift ? (
        <Suspense>
          <Drifts {...{ ...linked, drift, isHeld, records, worst }} isCause={isDrift} />
        </Suspense>
      ) : null}
      {cause ? <Way {...linked} code={cause.code} /> : null}
      <AskedFor
        {...linked}
        {...{ records, lastConflict, isLimited }}
        isDoubtful={records.some((record) => mayBeGone(attempts, record))}
        of={worst}
        isFailing={(cause !== null && !isHeld) || failure !== undefined}
      />
      <InTheWay {...linked} {...{ records, lastConflict }} shown={cause} />
    </section>
  );
}

// Whether what is in the way of this very entry, or another name for it, is decided.
function isDecided(record: RecordAnswer): boolean {
  return decidedIn([record]) !== null && (record.decision?.keys?.includes(record.sub_key) ?? true);
}

function worstOf(records: RecordAnswer[]): RecordAnswer | undefined {
  const status = STATUSES.find((candidate) => records.some((record) => record.sync_status === candidate));
  const candidates = records.filter((record) => record.sync_status === status);
  return candidates.find(isBehind) ?? candidates.find(lastFailureOf) ?? candidates[0];
}

// What to do about entries of somebody else; each key of a link may have another one. `shown`: the cause above.
function InTheWay({
  records,
  shown,
  lastConflict,
  ...linked
}: StandingProps & { shown: { code: string } | null }) {
  // A name or a decision would withdraw the unlinking.
  if (isLeaving(records)) return null;
  const causes = records.flatMap(({ cause }) => (cause ? [cause] : []));
  const conflict = causes.find(({ code }) => code === 'conflict');
  const keys = [...new Set(keysInConflict(records, lastConflict))];
  if (conflict || lastConflict)
    // In one place, so that a question stays open whatever an attempt finds meanwhile.
    return (
      <>
        {conflict && shown?.code !== 'conflict' ? <Beside type={linked.type} cause={conflict} /> : null}
        <Suspense>
          <Conflict {...linked} {...{ records, keys }} seen={conflict ? undefined : lastConflict} />
        </Suspense>
      </>
    );
  if (causes.every(({ code }) => code !== 'blocked')) return null;
  return (
    <div className={kit.row}>
      <Rename {...linked} records={records} />
    </div>
  );
}

// Another key of the link fails for something else, which no decision ends.
function Beside({ type, cause }: { type: string; cause: NonNullable<RecordAnswer['cause']> }) {
  return (
    <div>
      <CauseTitle code={cause.code} />
      <CauseText type={type} cause={cause} />
    </div>
  );
}

function Decided() {
  return (
    <p className={kit.muted}>The store already has an entry with this name. What becomes of it is decided.</p>
  );
}

function Way({ type, name, secret, code }: Linked & { code: string }) {
  return (
    <div className={kit.row}>
      <Remedy type={type} name={name} code={code} only={`${secret.mount}/${secret.path}`} isOnLink />
    </div>
  );
}

// What people asked for that is still to be done.
function AskedFor({
  of,
  records,
  lastConflict,
  isFailing,
  isLimited,
  isDoubtful,
  ...linked
}: StandingProps & { of: RecordAnswer; isFailing: boolean; isLimited: boolean; isDoubtful: boolean }) {
  const { waiting, unlinking, decision } = of;
  if (unlinking && (!waiting || isUnsure(of)))
    return <Unlinking {...{ isFailing, isDoubtful }} isDone={isUnsure(of)} count={records.length} />;
  const keys = decision?.keys ?? keysInConflict(records, lastConflict).filter(Boolean);
  return (
    <Suspense>
      <AskedNotice {...{ ...linked, waiting, decision, keys, isLimited }} isBehind={isBehind(of)} />
    </Suspense>
  );
}

function keysInConflict(records: RecordAnswer[], former: FormerConflict | undefined): string[] {
  const foreign = records.filter(({ cause }) => cause?.code === 'conflict').map(({ sub_key: key }) => key);
  return [...foreign, ...(former?.keys ?? [])];
}
