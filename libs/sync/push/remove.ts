import { performance } from 'node:perf_hooks';
import type { Cause, LedgerEntry } from '../../store/orders/order.ts';
import { bearsMarks } from '../../connector/marks.ts';
import {
  confirmsInMs,
  recordFailed,
  recordGone,
  recordGoneUnconfirmed,
  recordKept,
  type OrderAttempt,
} from './attempt.ts';
import { findRemovable, isDoubtful } from './doubtful.ts';
import { leaveElsewhere } from './shared-entry.ts';
import { blockage, interrupted, isWritten, logged, type Prepared, type PushTools } from './task.ts';
import { noCall } from './failure.ts';

const NOT_REPLACED: Cause = {
  class: 'CLIENT_SIDE_ERROR',
  code: 'not_replaced',
  message: 'it is kept as it was until all that is to replace it could be written',
};

const LEFT: Cause = {
  class: 'CLIENT_SIDE_ERROR',
  code: 'conflict',
  message: 'somebody else made an entry of that name; it was left as it is',
};

/** Removes what nothing of an order wants any more, after what replaces it was written. */
export async function removeLeftovers(prepared: Prepared, tools: PushTools): Promise<void> {
  const { attempt } = prepared;
  const failed = new Set(attempt.entries.filter((entry) => !isWritten(entry)).map((entry) => entry.subKey));
  const synced = new Set(attempt.entries.filter(isWritten).map((entry) => entry.subKey));
  const complete = failed.size === 0 && synced.size === prepared.wanted.length;
  const successors = [...prepared.wanted, ...prepared.refused];
  // A row that says why its key waits has its result already.
  const recorded = new Set(attempt.entries.map(({ id }) => id));
  for (const entry of prepared.leftover) {
    if (recorded.has(entry.id)) continue;
    const wholeSecret = entry.subKey === '';
    const reshaped = successors.some(({ subKey }) => (subKey === '') !== wholeSecret);
    const renamed = successors.some(({ subKey }) => subKey === entry.subKey) || failed.has(entry.subKey);
    // The new name first, then the old one away.
    const replaced = reshaped ? complete : !renamed || synced.has(entry.subKey);
    const isOutside = entry.held || isDoubtful(entry, tools);
    // A key that failed under its new name has a record already.
    if (isOutside && !replaced && !reshaped) continue;
    if (isOutside && !replaced) recordKept(attempt, entry, 'CLIENT_SIDE_ERROR', NOT_REPLACED);
    else if (isOutside && !renamed && !reshaped && mustStay(attempt, tools))
      recordKept(attempt, entry, 'UNSYNCED', null);
    else await removeOne(attempt, entry, tools);
  }
}

// What is retained outside may be wanted again, and where entries bear no marks the ledger alone knows that it is ours.
function mustStay({ order }: OrderAttempt, { parts }: PushTools): boolean {
  const isRetained = order.destination.deletionPolicy === 'retain' && !order.removing;
  return isRetained && !bearsMarks(parts.destination);
}

async function removeOne(attempt: OrderAttempt, entry: LedgerEntry, tools: PushTools): Promise<void> {
  const isOutside = entry.held || isDoubtful(entry, tools);
  if (!isOutside || attempt.order.destination.deletionPolicy === 'retain')
    return recordGone(attempt, entry, 'none', 0);
  const blocked = blockage(attempt, tools);
  if (blocked === 'later') return;
  if (blocked) return recordFailed(attempt, entry, entry.subKey, blocked, 'delete', 0);
  const started = performance.now();
  const { LEASE: leaseMs } = tools.parts.context.config;
  try {
    const found = await findRemovable(entry, tools);
    const key = found === 'foreign' ? undefined : found;
    const own = { destinationId: attempt.order.destination.id, entry, reference: key?.reference ?? null };
    const isLeft = found === 'foreign' || (key && (await leaveElsewhere(own, tools.parts)));
    const action = key && !isLeft ? 'delete' : 'none';
    if (key && !isLeft) await tools.run((signal) => tools.session.remove(key, signal));
    const durationMs = performance.now() - started;
    if (!isLeft && confirmsInMs(entry, leaseMs) !== null) {
      const isMarked = bearsMarks(tools.parts.destination);
      return recordGoneUnconfirmed(attempt, entry, { action, isMarked, durationMs }, leaseMs);
    }
    recordGone(attempt, entry, action, durationMs, found === 'foreign' ? LEFT : null);
  } catch (error) {
    const failure = logged(error, tools.parts);
    if (interrupted(failure, tools)) attempt.unfinished = true;
    // What could not be looked at is as doubtful as before, not anew.
    const known = entry.held ? failure : noCall(failure);
    recordFailed(attempt, entry, entry.subKey, known, 'delete', performance.now() - started);
  }
}
