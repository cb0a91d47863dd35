import { performance } from 'node:perf_hooks';
import type { Cause, LedgerEntry } from '../../store/orders/order.ts';
import type { Destination } from '../../connector/contract.ts';
import { canTellOwner } from '../../connector/marks.ts';
import type { PushRun } from '../engine.ts';
import type { StepOutcome, Plan, PushProgress } from '../order.ts';
import { callInLease } from './call-limit.ts';
import { blockage, isInterruption, toLoggedFailure, noCall } from './failure.ts';
import { findRemovable, leaveElsewhere } from './ownership.ts';
import { failedEntry, goneEntry, keptEntry, resultsOf, unconfirmedRemoval, untried } from './outcomes.ts';
import { confirmsInMs, isUnconfirmedCreate, isWritten, visibleInMs } from './uncertainty.ts';

const NOT_REPLACED: Cause = {
  class: 'CLIENT_SIDE_ERROR',
  code: 'not_replaced',
  message: 'the entry is kept until all entries that replace it are written',
};

const NO_LONGER_OURS = 'the entry with this name is no longer ours; it was left in the store';
const NOT_OURS = 'the entry with this name is not ours; it was left in the store';

/** A ledger row that is no longer wanted; without an outcome it is to be removed. */
type Fate = { entry: LedgerEntry; outcome?: StepOutcome };

/** Which leftovers of a plan are to be removed: those whose replacements are written. Some others have their outcome now. */
export function decideLeftovers({ plan, outcomes }: PushProgress, destination: Destination): Fate[] {
  const results = resultsOf(outcomes);
  const failed = new Set(results.filter((entry) => !isWritten(entry)).map((entry) => entry.subKey));
  const synced = new Set(results.filter(isWritten).map((entry) => entry.subKey));
  const complete = failed.size === 0 && synced.size === plan.writes.length;
  const successors = [...plan.writes, ...plan.refused];
  // A row that says why its key waits already has its result.
  const recorded = new Set(results.map(({ id }) => id));
  return plan.leftover.flatMap((entry): Fate[] => {
    if (recorded.has(entry.id)) return [];
    const wholeSecret = entry.subKey === '';
    const isOtherGranularity = successors.some(({ subKey }) => (subKey === '') !== wholeSecret);
    const renamed = successors.some(({ subKey }) => subKey === entry.subKey) || failed.has(entry.subKey);
    // The new name is written before the old one is removed.
    const replaced =
      isOvertaken(entry, plan.leftover) ||
      (isOtherGranularity ? complete : !renamed || synced.has(entry.subKey));
    const isOutside = entry.owned || isUnconfirmedCreate(entry, destination);
    // A key that failed under its new name already has a record.
    if (isOutside && !replaced && !isOtherGranularity) return [];
    if (isOutside && !replaced)
      return [{ entry, outcome: keptEntry(entry, 'CLIENT_SIDE_ERROR', NOT_REPLACED) }];
    if (isOutside && !renamed && !isOtherGranularity && mustStay(plan, destination))
      return [{ entry, outcome: keptEntry(entry, 'UNSYNCED', null) }];
    return [{ entry }];
  });
}

/**
 * Whether a former entry of a key goes although the new name cannot be written. Of several, one is enough: the one that most
 * certainly holds the latest value. The others are removed, because they may be what fills the store.
 */
export function isOvertaken(entry: LedgerEntry, leftover: readonly LedgerEntry[]): boolean {
  const former = leftover.filter(({ owned, subKey }) => owned && subKey === entry.subKey);
  const [kept] = former.toSorted(byCertainty);
  return kept !== undefined && kept.id !== entry.id;
}

// A lost lease makes all entries of an association uncertain at the same moment. Then only the former status and the id
// can order them.
function byCertainty(left: LedgerEntry, right: LedgerEntry): number {
  const certainty = (entry: LedgerEntry): number => {
    if (entry.valueFingerprint !== null) return 2;
    return isWritten(entry) ? 1 : 0;
  };
  const age = ({ writtenMsAgo }: LedgerEntry): number => writtenMsAgo ?? Number.MAX_VALUE;
  return certainty(right) - certainty(left) || age(left) - age(right) || right.id - left.id;
}

// A retained entry may be wanted again. Without owner marks, only the ledger knows that it is ours.
function mustStay({ order }: Plan, destination: Destination): boolean {
  const isRetained = order.destination.deletionPolicy === 'retain' && !order.removing;
  return isRetained && !canTellOwner(destination);
}

/** Removes an entry from the store, unless it is not ours or has to stay there. Never throws. */
export async function removeEntry(
  entry: LedgerEntry,
  progress: PushProgress,
  run: PushRun,
): Promise<StepOutcome> {
  const { order } = progress.plan;
  const { engine, session } = run;
  const isOutside = entry.owned || isUnconfirmedCreate(entry, engine.destination);
  if (!isOutside) return goneEntry(order, entry);
  if (order.destination.deletionPolicy === 'retain')
    return goneEntry(
      order,
      entry,
      entry.owned && isFailing(entry) ? { action: 'none', durationMs: 0 } : undefined,
    );
  const blocked = blockage(progress, run);
  if (blocked === 'later') return { isLeft: true };
  if (blocked) return untried(failedEntry(order, entry, blocked, { action: 'delete', durationMs: 0 }));
  const started = performance.now();
  const { LEASE: leaseMs } = engine.context.config;
  try {
    const found = await findRemovable(entry, run);
    const isForeign = found === 'foreign';
    const key = isForeign ? undefined : found;
    const own = { destinationId: order.destination.id, entry, reference: key?.reference ?? null };
    const isElsewhere = key !== undefined && (await leaveElsewhere(own, engine));
    if (key && !isElsewhere) await callInLease(run, (signal) => session.remove(key, signal));
    const action = isForeign || isElsewhere ? 'none' : key ? 'delete' : 'gone';
    const durationMs = performance.now() - started;
    const confirmInMs = confirmsInMs(entry, leaseMs) ?? (key ? null : visibleInMs(entry, leaseMs));
    const isLeft = isElsewhere || (isForeign && entry.owned);
    if (!isLeft && confirmInMs !== null) {
      const isMarked = canTellOwner(engine.destination);
      const unconfirmed = unconfirmedRemoval(order, entry, { action, isMarked, durationMs, confirmInMs });
      // It is left once a second look finds the same.
      return isForeign ? untried(unconfirmed) : unconfirmed;
    }
    // The first look has told that already.
    if (action === 'gone' && entry.status === 'UNSYNCING') return goneEntry(order, entry);
    return goneEntry(order, entry, { action, durationMs, left: isForeign ? leftCause(entry) : null });
  } catch (error) {
    const failure = toLoggedFailure(error, engine);
    // If we could not look at an unowned entry, it is as uncertain as before: its uncertainty does not begin anew.
    const known = entry.owned ? failure : noCall(failure);
    const tried = { action: 'delete' as const, durationMs: performance.now() - started };
    return { ...failedEntry(order, entry, known, tried), isLeft: isInterruption(failure, run) };
  }
}

function leftCause({ owned }: LedgerEntry): Cause {
  return { class: 'CLIENT_SIDE_ERROR', code: 'conflict', message: owned ? NO_LONGER_OURS : NOT_OURS };
}

// The last line of the history says that something failed, which has ended now.
function isFailing({ status }: LedgerEntry): boolean {
  return status.endsWith('_ERROR');
}
