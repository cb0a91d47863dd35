import type { Destination } from '../../connector/contract.ts';
import type { RateLimit } from '../../store/orders/rate-limit.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { Attempt, EntryResult, OrderResult } from '../../store/orders/result.ts';
import type { Trigger } from '../../store/due/trigger.ts';
import type { DestinationFinding } from '../../store/orders/probes.ts';
import type { Engine } from '../engine.ts';
import type { Failure, PushProgress, StepOutcome } from '../order.ts';
import { failuresOf } from './failure.ts';
import { lineOf, NO_ENTRY, resultsOf } from './outcomes.ts';

// A little below the documented limit, so that jitter on the way does not exceed it.
const PART_OF_LIMIT = 0.98;
// Another association may free a name or capacity. We can see that without a call.
const RECHECK_MS = 60_000;

/**
 * The result of an attempt: whether it is settled, and when to look again. `prevented` is a failure that kept the
 * attempt from beginning.
 */
export function conclude({ plan, outcomes }: PushProgress, engine: Engine, prevented?: Failure): OrderResult {
  const { order } = plan;
  const failures = [...(prevented ? [prevented] : []), ...failuresOf(outcomes)];
  const entries = resultsOf(outcomes);
  // A failure that belongs to no entry is the order's own failure.
  const own = prevented ?? (entries.some((entry) => entry.cause) ? undefined : failures[0]);
  const trigger = triggerOf(order, entries);
  const history = [
    ...outcomes.flatMap(({ attempt }) => attempt ?? []),
    ...(own ? [attemptAtNoEntry(order, own)] : []),
  ];
  const confirmInMs = latest(outcomes.flatMap((outcome) => outcome.confirmInMs ?? []));
  const waiting =
    outcomes.some(({ isLeft }) => isLeft) || failures.some((failure) => failure.retry === 'wait');
  const retried = failures.filter((failure) => failure.retry === 'backoff');
  const attempts = failures.length === 0 || (waiting && retried.length === 0) ? 0 : order.attempts + 1;
  return {
    id: order.id,
    destinationId: order.destination.id,
    mountId: order.mount.id,
    secretPath: order.secretPath,
    leaseToken: order.leaseToken,
    generation: order.generation,
    revision: order.destination.revision,
    settled: !waiting,
    removing: order.removing,
    unlinked: order.removing && failures.length === 0 && !waiting && confirmInMs === null,
    lookAgainMs: earlier(lookAgain(failures, attempts, waiting, engine), confirmInMs),
    expiresAt: order.source?.deletionTime ?? null,
    throttleMs: Math.max(
      0,
      ...failures.filter((failure) => failure.retry === 'wait').map((failure) => failure.waitMs),
    ),
    owedMs: owedTime(history, engine),
    attempts,
    trigger,
    endsDecision: endsDecision(order, entries, waiting || own !== undefined),
    destinationFailed: failures.some((failure) => failure.wholeDestination && failure.retry === 'backoff'),
    finding: destinationFinding(order, failures, outcomes, engine),
    failure: own?.cause ?? null,
    entries,
    history: trigger === order.trigger ? history.map((line) => withTrigger(line, order)) : history,
  };
}

// What no decision about an entry mends: somebody else has changed it since, or it can't be taken over.
const MISJUDGED = new Set(['conflict', 'blocked']);

// Whether nothing is left to do of what was decided, although entries may fail that it is not about. `isUndone`: some were not tried.
function endsDecision({ decidedKeys = null }: WorkOrder, entries: EntryResult[], isUndone: boolean): boolean {
  const causes = entries
    .filter(({ subKey }) => decidedKeys?.includes(subKey) ?? true)
    .flatMap(({ cause }) => cause ?? []);
  return (
    causes.some(({ code }) => MISJUDGED.has(code)) ||
    (decidedKeys !== null && !isUndone && causes.length === 0)
  );
}

// What a person no longer wants to overwrite was left.
function triggerOf({ trigger, withdrawal }: WorkOrder, entries: EntryResult[]): WorkOrder['trigger'] {
  return withdrawal && entries.some(({ drift }) => drift)
    ? { cause: 'withdraw', by: withdrawal.by }
    : trigger;
}

const RETRY: Trigger = { cause: 'schedule', by: null };

// What was left before a rate limit refused another entry is tried for the first time.
function withTrigger(line: Attempt, { wasLimited, entries }: WorkOrder): Attempt {
  const tried = entries.find(
    ({ subKey, externalName }) => subKey === line.subKey && externalName === line.externalName,
  );
  const isRetry = line.externalName === null || tried?.status === 'EXTERNAL_SERVICE_ERROR';
  return wasLimited && isRetry ? { ...line, trigger: RETRY } : line;
}

function lookAgain(failures: Failure[], attempts: number, waiting: boolean, engine: Engine): number | null {
  const { config } = engine.context;
  const retried = failures.filter((failure) => failure.retry === 'backoff');
  if (retried.length > 0) {
    const backoff = backoffMs(attempts, { min: config.RETRY_MIN, max: config.RETRY_MAX });
    return Math.max(backoff, ...retried.map((failure) => failure.waitMs));
  }
  // Zero is enough: no worker claims a throttled or failing destination before its time anyway.
  if (waiting || failures.some(isOfDestination)) return 0;
  if (failures.some(({ retry }) => retry === 'recheck')) return RECHECK_MS;
  return failures.some(({ retry }) => retry === 'slow') ? slowMs(attempts, config.RECHECK_MIN) : null;
}

// Whether somebody outside must fix the whole destination.
function isOfDestination({ wholeDestination, retry }: Failure): boolean {
  return wholeDestination && retry === 'slow';
}

// What the attempt says about the destination: why it fails as a whole or, if it failed before, that it works again.
function destinationFinding(
  order: WorkOrder,
  failures: Failure[],
  outcomes: readonly StepOutcome[],
  engine: Engine,
): DestinationFinding | null {
  const { failures: count, revision } = order.destination;
  const failure = failures.find(isOfDestination)?.cause ?? null;
  if (!failure && count === 0) return null;
  const isReached = failures.every(({ wholeDestination, retry }) => !wholeDestination && retry !== 'backoff');
  const works = isReached && outcomes.some(isAnswered);
  return { failure, works, failures: count, revision, recheckMs: engine.context.config.RECHECK_MIN };
}

/** The rate limit that a store documents for a destination of this type; undefined if it has none. */
export function rateLimitOf({ rate }: Destination): RateLimit | undefined {
  return rate && { intervalMs: rate.perMs / (rate.writes * PART_OF_LIMIT) };
}

function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function latest(times: number[]): number | null {
  return times.length > 0 ? Math.max(...times) : null;
}

// Whether the store answered: an entry that was found to be right already was asked for as well.
function isAnswered({ attempt, entry, isAccepted }: StepOutcome): boolean {
  return Boolean(isAccepted || entry?.ownerSeen || (attempt && isCall(attempt)));
}

const LOOKS: Attempt['action'][] = ['none', 'unchanged', 'gone', 'changed'];

function isCall({ action }: Attempt): boolean {
  return !LOOKS.includes(action);
}

function owedTime(history: Attempt[], engine: Engine): number {
  const writes = history.filter(isCall).length;
  return Math.max(0, writes - 1) * (rateLimitOf(engine.destination)?.intervalMs ?? 0);
}

function attemptAtNoEntry(order: WorkOrder, failure: Failure): Attempt {
  const { cause } = failure;
  return lineOf(order, NO_ENTRY, { action: 'none', outcome: cause.class, cause, durationMs: 0 });
}

// In units of RECHECK_MIN: who mends something at once waits little for it, and what nobody mends costs a call an hour.
const SLOW_STEPS = [1, 2, 5, 15, 60];

/** Milliseconds until we retry a failure that somebody may fix outside, with jitter of ±20 %; `first` is the first wait. */
export function slowMs(attempt: number, first: number): number {
  const factor = SLOW_STEPS[Math.min(attempt, SLOW_STEPS.length) - 1] ?? 1;
  return Math.round(first * factor * (0.8 + Math.random() * 0.4));
}

/**
 * Milliseconds of exponential backoff with full jitter: at least `min / 2`, at most `min · 2^(attempt-1)`, never over
 * `max`.
 */
export function backoffMs(attempt: number, limits: { min: number; max: number }): number {
  const ceiling = Math.min(limits.max, limits.min * 2 ** Math.min(attempt - 1, 30));
  return Math.round(Math.max(limits.min / 2, Math.random() * ceiling));
}
