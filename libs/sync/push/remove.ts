import { performance } from 'node:perf_hooks';
import type { Cause, LedgerEntry } from '../../store/orders/order.ts';
import { canTellOwner } from '../../connector/marks.ts';
import type { PushTools } from '../engine.ts';
import type { Plan } from '../order.ts';
import { blockage, interrupted, logged, noCall } from './failure.ts';
import { findRemovable, leaveElsewhere } from './ownership.ts';
import {
  confirmsInMs,
  isUnconfirmedCreate,
  isWritten,
  recordFailed,
  recordGone,
  recordGoneUnconfirmed,
  recordKept,
  visibleInMs,
} from './uncertainty.ts';

const NOT_REPLACED: Cause = {
  class: 'CLIENT_SIDE_ERROR',
  code: 'not_replaced',
  message: 'the entry is kept until all entries that replace it are written',
};

const LEFT: Cause = {
  class: 'CLIENT_SIDE_ERROR',
  code: 'conflict',
  message: 'somebody else created an entry of that name; it was not changed',
};

/** Removes the entries that an order no longer needs, once their replacements are written. */
export async function removeLeftovers(plan: Plan, tools: PushTools): Promise<void> {
  const failed = new Set(plan.entries.filter((entry) => !isWritten(entry)).map((entry) => entry.subKey));
  const synced = new Set(plan.entries.filter(isWritten).map((entry) => entry.subKey));
  const complete = failed.size === 0 && synced.size === plan.writes.length;
  const successors = [...plan.writes, ...plan.refused];
  // A row that says why its key waits already has its result.
  const recorded = new Set(plan.entries.map(({ id }) => id));
  for (const entry of plan.leftover) {
    if (recorded.has(entry.id)) continue;
    const wholeSecret = entry.subKey === '';
    const isOtherGranularity = successors.some(({ subKey }) => (subKey === '') !== wholeSecret);
    const renamed = successors.some(({ subKey }) => subKey === entry.subKey) || failed.has(entry.subKey);
    // The new name is written before the old one is removed.
    const replaced =
      isOvertaken(entry, plan.leftover) ||
      (isOtherGranularity ? complete : !renamed || synced.has(entry.subKey));
    const isOutside = entry.owned || isUnconfirmedCreate(entry, tools.parts.destination);
    // A key that failed under its new name already has a record.
    if (isOutside && !replaced && !isOtherGranularity) continue;
    if (isOutside && !replaced) recordKept(plan, entry, 'CLIENT_SIDE_ERROR', NOT_REPLACED);
    else if (isOutside && !renamed && !isOtherGranularity && mustStay(plan, tools))
      recordKept(plan, entry, 'UNSYNCED', null);
    else await removeOne(plan, entry, tools);
  }
}

// A key may have several former entries while its new name cannot be written. One is enough: the one that most certainly
// holds the latest value. The others are removed, because they may be what fills the store.
function isOvertaken(entry: LedgerEntry, leftover: LedgerEntry[]): boolean {
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
function mustStay({ order }: Plan, { parts }: PushTools): boolean {
  const isRetained = order.destination.deletionPolicy === 'retain' && !order.removing;
  return isRetained && !canTellOwner(parts.destination);
}

async function removeOne(plan: Plan, entry: LedgerEntry, tools: PushTools): Promise<void> {
  const isOutside = entry.owned || isUnconfirmedCreate(entry, tools.parts.destination);
  if (!isOutside || plan.order.destination.deletionPolicy === 'retain')
    return recordGone(plan, entry, 'none', 0);
  const blocked = blockage(plan, tools);
  if (blocked === 'later') return;
  if (blocked) return recordFailed(plan, entry, entry.subKey, blocked, 'delete', 0);
  const started = performance.now();
  const { LEASE: leaseMs } = tools.parts.context.config;
  try {
    const found = await findRemovable(entry, tools);
    const key = found === 'foreign' ? undefined : found;
    const own = { destinationId: plan.order.destination.id, entry, reference: key?.reference ?? null };
    const isLeft = found === 'foreign' || (key && (await leaveElsewhere(own, tools.parts)));
    const action = key && !isLeft ? 'delete' : 'none';
    if (key && !isLeft) await tools.run((signal) => tools.session.remove(key, signal));
    const durationMs = performance.now() - started;
    const waitMs = confirmsInMs(entry, leaseMs) ?? (key ? null : visibleInMs(entry, leaseMs));
    if (!isLeft && waitMs !== null) {
      const isMarked = canTellOwner(tools.parts.destination);
      return recordGoneUnconfirmed(plan, entry, { action, isMarked, durationMs, waitMs });
    }
    recordGone(plan, entry, action, durationMs, found === 'foreign' ? LEFT : null);
  } catch (error) {
    const failure = logged(error, tools.parts);
    if (interrupted(failure, tools)) plan.unfinished = true;
    // If we could not look at an unowned entry, it is as uncertain as before: its uncertainty does not begin anew.
    const known = entry.owned ? failure : noCall(failure);
    recordFailed(plan, entry, entry.subKey, known, 'delete', performance.now() - started);
  }
}
