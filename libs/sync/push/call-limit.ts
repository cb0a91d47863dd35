import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { ConnectorError } from '../../connector/errors.ts';
import type { PushRun } from '../engine.ts';

// A client that heeds its signal ends within milliseconds.
const IGNORED_FOR_MS = 500;
// A timer may fire this much early, because it uses the clock of the event loop.
const TIMER_EARLY_MS = 5;
// The results of a push are stored before its lease ends.
const STORING_MS = 1000;
// All calls of a push count as one slot, so a secret with many keys may make only a few at a time.
const WIDTH = 8;

/**
 * Runs a vendor call under a time limit: the signal aborts it. If the client ignores the signal, we give the call up a
 * moment later. `stop` (the process is stopping) ends the call as well.
 */
export function withLimit<Result>(
  limitMs: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (stop.aborted) return Promise.reject(timedOut());
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let giveUp: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearTimeout(giveUp);
      stop.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => {
      controller.abort();
      giveUp ??= setTimeout(() => end(() => reject(timedOut())), IGNORED_FOR_MS);
    };
    const timer = setTimeout(abort, limitMs);
    stop.addEventListener('abort', abort);
    call(controller.signal).then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}

/**
 * The same for a question that changes nothing. When the time is up, the failure is `timed_out`, whatever the connector says
 * of the call that we stopped.
 */
export async function askInTime<Result>(
  limitMs: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + limitMs - TIMER_EARLY_MS;
  try {
    return await withLimit(limitMs, stop, call);
  } catch (error) {
    if (stop.aborted || performance.now() < end) throw error;
    throw timedOut('the store did not answer in time');
  }
}

/** Makes a call of a push under the time limit of its lease. The end of the lease is left for storing the results. */
export function callInLease<Result>(
  { engine, lease }: PushRun,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withLimit(Math.max(1, lease.deadline - performance.now() - STORING_MS), engine.stop, call);
}

/**
 * Whether a push may begin no further call: half of its lease is over, the process is stopping, or, since the claim, the
 * store asked to wait or the whole destination failed.
 */
export function isOutOfTime({ engine, lease }: PushRun): boolean {
  const startBy = lease.deadline - engine.context.config.LEASE / 2;
  return engine.drain.aborted || !lease.mayCall() || performance.now() > startBy;
}

/** Does something with each item of a push, several at a time. Most pushes have one item, which needs no limiter. */
export function sideBySide<Item, Result>(
  items: Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return items.length > WIDTH ? pLimit(WIDTH).map(items, action) : Promise.all(items.map(action));
}

function timedOut(
  message = 'the store did not answer in time and may have made the change, so it is written again',
): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'timed_out',
    message,
    scope: 'destination',
  });
}
