import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import kit from '../../kit/kit.module.css';
import { Status, statusByCause } from '../../kit/status.tsx';
import { NextOfLink } from '../problems/next-attempt.tsx';
import { Since } from '../problems/since.tsx';
import type { SecretName } from '../secrets/split-path.ts';
import { areHeldUp, isUnsure } from './entries.tsx';
import { LastChange } from './history.tsx';
import { OutOfSync } from './out-of-sync.tsx';

type HeadingProps = { type: string; name: string; secret: SecretName } & {
  records: RecordAnswer[];
  worst: RecordAnswer;
  cause: { code: string } | null;
  isDrift: boolean;
  isHeld: boolean;
  isLimited: boolean;
  /** The newest attempt at the link failed for the cause. */
  isOwn: boolean;
};

/** The status of a link, since when, and when it is tried again. */
export function Heading({
  records,
  worst,
  cause,
  isDrift,
  isHeld,
  isLimited,
  isOwn,
  ...linked
}: HeadingProps) {
  // Between the attempts under a rate limit, too, so that it tells of one time.
  const isOutOfSync = records.some(({ out_of_sync_since: since }) => since !== undefined);
  return (
    <div className={kit.row}>
      <Status status={statusByCause(worst.sync_status, cause)} />
      <Keys records={records} status={worst.sync_status} />
      {isDrift ? null : <OutOfSync records={records} isFailing={cause !== null} />}
      {cause && !(isLimited && isOutOfSync) ? (
        <Since
          {...linked}
          code={cause.code}
          known={knownOf(records, { status: worst.sync_status, isDrift })}
          {...{ isDrift, isHeld }}
          isLacking={records.some(isLacking)}
          isOwn={isOwn}
        />
      ) : null}
      {cause ? null : <LastChange {...linked} leaving={leavingOf(worst)} />}
      <NextOfLink of={worst} {...{ isLimited }} isHeld={isHeld || worst.waiting !== undefined} />
    </div>
  );
}

/** The last failure of an entry. Of an entry of somebody else it is decided what becomes of it. */
export function lastFailureOf({ last_failure: last }: RecordAnswer): RecordAnswer['last_failure'] {
  return last && ['conflict', 'blocked'].includes(last.code) ? undefined : last;
}

// What is unlinked may still be in the store, unless a second look at it is all that is left to do.
function leavingOf(record: RecordAnswer) {
  const { unlinking, source_version: version, sync_status: status } = record;
  const isDone = status === 'UNSYNCED' || (status === 'UNSYNCING' && isUnsure(record));
  return isDone || (version === null && !unlinking) ? { version, isDone } : undefined;
}

/** Whether the store lacks the newest version. */
export function isBehind({ source_version: source, synced_version: synced }: RecordAnswer): boolean {
  return source !== synced;
}

// A rate limit may also hold back what would change nothing.
function isLacking(record: RecordAnswer): boolean {
  const { drift, cause, last_failure: last } = record;
  return isBehind(record) || drift !== null || (cause ?? last)?.code === 'conflict';
}

// The keys that have the status. Where they wait together, it is those that lack something in the store.
function keysWith(records: RecordAnswer[], status: string): RecordAnswer[] {
  const having = records.filter((record) => record.sync_status === status);
  const lacking = having.filter((record) => record.unlinking || isLacking(record));
  return areHeldUp(records, status) && lacking.length > 0 ? lacking : having;
}

// What each of them is out of sync for.
function knownOf(records: RecordAnswer[], { status, isDrift }: { status: string; isDrift: boolean }) {
  return isDrift ? records.map(({ drift }) => drift) : keysWith(records, status).map(lastFailureOf);
}

const MOST_NAMED = 3;

// Of several keys, how many have the status, and which, if they are few.
function Keys({ records, status }: { records: RecordAnswer[]; status: string }) {
  if (records.length < 2 || status === 'SYNCED') return null;
  const having = keysWith(records, status);
  const isNamed = having.length < records.length && having.length <= MOST_NAMED;
  return (
    <>
      <span className={kit.muted}>
        {having.length} of {records.length} keys
      </span>
      {isNamed ? having.map(({ sub_key: key }) => <code key={key}>{key}</code>) : null}
    </>
  );
}
