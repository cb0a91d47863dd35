import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { Bag } from '../../collections/bag.ts';
import { UnsealError } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import type { Context } from '../../service/context.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { Destination, Session } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Sessions } from '../sessions/sessions.ts';

const IGNORED_FOR_MS = 500;
// A timer may fire this much early, because it uses the clock of the event loop.
const TIMER_EARLY_MS = 5;
// One push makes at most this many calls at a time.
const WIDTH = 8;

/** The named steps of a push, in order; a fault test ends or delays the process at one of them. */
export type Step =
  'before-claim' | 'after-claim' | 'after-call' | 'before-store' | 'after-store' | 'before-ack';

/** What the pieces of a connector worker share. */
export type EngineParts = {
  context: Context;
  /** Used only to store results: its statements do not wait long for a row that another transaction locks. */
  resultsDb: Database;
  destination: Destination;
  sessions: Sessions;
  /** True once the process is stopping. The engine then begins no new call and hands waiting orders back. */
  draining: () => boolean;
  /** Aborted when the process must end its running calls at once. */
  stop: AbortSignal;
  /** Notifies all workers of the type that a destination has more work than this worker takes at once. */
  notifyWorkers: (destinationId: number) => void;
  /** Called at each step; does nothing in production. */
  step: (step: Step) => Promise<void>;
};

/**
 * What a push needs to know: when the lease of its orders ends, its trace, and whether the store has asked for a pause
 * since.
 */
export type Lease = { deadline: number; trace: Trace | undefined; isPaused: () => boolean };

/** What the steps of a push need. */
export type PushTools = {
  parts: EngineParts;
  session: Session;
  /** Makes a call under the time limit of the orders' lease. */
  run: <Result>(call: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  outOfTime: () => boolean;
};

/** What an error means for the attempt: the `cause` that users see, and whether and when to try again. */
export type Failure = {
  cause: Cause;
  /**
   * `never`: no retry until something changes in this service. `slow`: somebody may fix it outside. `recheck`: another
   * association of this service may fix it. `backoff`: it is temporary. `wait`: the store said how long to wait.
   */
  retry: 'never' | 'slow' | 'recheck' | 'backoff' | 'wait';
  waitMs: number;
  /** The whole destination fails, not only one entry. */
  wholeDestination: boolean;
  /** The call may have had its effect although it failed. */
  ambiguous: boolean;
  /** We gave the call up: the store or a proxy may still carry it out, even after a later call. */
  mayLandLate: boolean;
};

/** The one place where an error becomes a decision. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ConnectorError) return fromConnector(error);
  const message =
    error instanceof UnsealError
      ? 'the secret could not be decrypted with the configured master keys; nothing was changed in the store'
      : 'an unexpected error; the log of the worker has the details';
  const code = error instanceof UnsealError ? 'unseal_failed' : 'internal';
  const cause: Cause = { class: 'INTERNAL_ERROR', code, message };
  return { cause, retry: 'backoff', waitMs: 0, wholeDestination: false, ambiguous: true, mayLandLate: true };
}

/** A fault that we found before any call and that a person must fix. */
export function refusal(code: string, message: string, retry: 'never' | 'recheck' = 'never'): Failure {
  const cause: Cause = { class: 'CLIENT_SIDE_ERROR', code, message };
  return { cause, retry, waitMs: 0, wholeDestination: false, ambiguous: false, mayLandLate: false };
}

/** The same failure, if no call that could have an effect was made. */
export function noCall(failure: Failure): Failure {
  return { ...failure, ambiguous: false, mayLandLate: false };
}

function fromConnector(error: ConnectorError): Failure {
  const message = error.requestId ? `${error.message} (request ${error.requestId})` : error.message;
  const shared = {
    waitMs: error.retryAfterMs ?? 0,
    wholeDestination: error.scope === 'destination',
    mayLandLate: error.kind === 'external',
  };
  const external: Cause = { class: 'EXTERNAL_SERVICE_ERROR', code: error.code, message };
  switch (error.kind) {
    case 'throttled':
      return {
        ...shared,
        cause: external,
        retry: 'wait',
        waitMs: error.retryAfterMs ?? 1000,
        ambiguous: error.partly,
      };
    case 'external':
      return { ...shared, cause: external, retry: 'backoff', ambiguous: true };
    case 'client':
    case 'exists':
    case 'missing':
      return {
        ...shared,
        cause: { ...external, class: 'CLIENT_SIDE_ERROR' },
        retry: error.final ? 'never' : 'slow',
        ambiguous: error.partly,
      };
  }
}

/** Turns an error into a decision. Logs an unforeseen error, without its text. */
export function logged(error: unknown, parts: EngineParts): Failure {
  const failure = toFailure(error);
  if (failure.cause.class === 'INTERNAL_ERROR')
    parts.context.log.error({ error }, 'a push failed unexpectedly');
  return failure;
}

/** Whether the failure only means that the order must wait. */
export function interrupted(failure: Failure, { parts }: PushTools): boolean {
  return failure.retry === 'wait' || parts.stop.aborted;
}

/**
 * Why an order may make no further call; undefined if it may. `later`: its time is up, or the store asked for a pause. If
 * the whole destination fails, the rest of the order fails in the same way, without a call.
 */
export function blockage(
  order: { failures: Failure[]; unfinished: boolean },
  tools: PushTools,
): Failure | 'later' | undefined {
  const whole = order.failures.find((failure) => failure.wholeDestination && failure.retry !== 'wait');
  if (whole) return noCall(whole);
  if (!tools.outOfTime() && !order.failures.some((failure) => failure.retry === 'wait')) return undefined;
  order.unfinished = true;
  return 'later';
}

// The functions that abort the running calls, by the signal that stops them all. Each signal has one listener for all
// calls: removing one of many listeners would search through all of them.
const underWay = new WeakMap<AbortSignal, Bag<() => void>>();

function callsUnder(stop: AbortSignal): Bag<() => void> {
  const known = underWay.get(stop);
  if (known) return known;
  const calls = new Bag<() => void>();
  underWay.set(stop, calls);
  const endAll = (): void => {
    for (const end of calls) end();
  };
  stop.addEventListener('abort', endAll, { once: true });
  return calls;
}

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
    const calls = callsUnder(stop);
    let giveUp: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearTimeout(giveUp);
      takeOut();
      settle();
    };
    const abort = (): void => {
      controller.abort();
      giveUp ??= setTimeout(() => end(() => reject(timedOut())), IGNORED_FOR_MS);
    };
    const timer = setTimeout(abort, limitMs);
    const takeOut = calls.add(abort);
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
