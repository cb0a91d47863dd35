import type { Destination } from '../../connector/contract.ts';
import type { RateLimit } from '../../store/orders/rate-limit.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import type { DestinationFinding } from '../../store/orders/probes.ts';
import type { EngineParts } from '../engine.ts';
import type { Failure, Plan } from '../order.ts';

// A little below the documented limit, so that jitter on the way does not exceed it.
const SHARE = 0.98;
// Another association may free a name or capacity. We can see that without a call.
const RECHECK_MS = 60_000;

/**
 * The result of an attempt: whether it is settled, and when to look again. `whole` is a failure that kept the attempt
 * from beginning.
 */
export function conclude(plan: Plan, parts: EngineParts, whole?: Failure): OrderResult {
  const { order } = plan;
  const failures = whole ? [whole, ...plan.failures] : plan.failures;
  const waiting = plan.unfinished || failures.some((failure) => failure.retry === 'wait');
  const retried = failures.filter((failure) => failure.retry === 'backoff');
  const attempts = failures.length === 0 || (waiting && retried.length === 0) ? 0 : order.attempts + 1;
  // A failure that belongs to no entry is the order's own failure.
  const own = whole ?? (plan.entries.some((entry) => entry.cause) ? undefined : failures[0]);
  return {
    id: order.id,
    destinationId: order.destination.id,
    mountId: order.mount.id,
    secretPath: order.secretPath,
    leaseToken: order.leaseToken,
    generation: order.generation,
    settled: !waiting,
    removing: order.removing,
    unlinked: order.removing && failures.length === 0 && !waiting && plan.confirmInMs === null,
    lookAgainMs: earlier(lookAgain(failures, attempts, waiting, parts), plan.confirmInMs),
    expiresAt: order.source?.deletionTime ?? null,
    throttleMs: Math.max(
      0,
      ...failures.filter((failure) => failure.retry === 'wait').map((failure) => failure.waitMs),
    ),
    owedMs: owedTime(plan, parts),
    attempts,
    trigger: order.trigger,
    destinationFailed: failures.some((failure) => failure.wholeDestination && failure.retry === 'backoff'),
    finding: findingOf(plan, failures, parts),
    failure: own?.cause ?? null,
    entries: plan.entries,
    history: own ? [...plan.history, wholeAttempt(plan, own)] : plan.history,
  };
}

function lookAgain(
  failures: Failure[],
  attempts: number,
  waiting: boolean,
  parts: EngineParts,
): number | null {
  const { config } = parts.context;
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
function findingOf(plan: Plan, failures: Failure[], parts: EngineParts): DestinationFinding | null {
  const { failures: count, revision } = plan.order.destination;
  const failure = failures.find(isOfDestination)?.cause ?? null;
  if (!failure && count === 0) return null;
  const isReached = failures.every(({ wholeDestination, mayLandLate }) => !wholeDestination && !mayLandLate);
  const works = isReached && plan.history.some(({ action }) => action !== 'none' && action !== 'unchanged');
  return { failure, works, failures: count, revision, recheckMs: parts.context.config.RECHECK_MIN };
}

/** The rate limit that a store documents for a destination of this type; undefined if it has none. */
export function rateLimitOf({ rate }: Destination): RateLimit | undefined {
  return rate && { intervalMs: rate.perMs / (rate.writes * SHARE) };
}

function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function owedTime(plan: Plan, parts: EngineParts): number {
  const writes = plan.history.filter((line) => line.action !== 'unchanged' && line.action !== 'none').length;
  return Math.max(0, writes - 1) * (rateLimitOf(parts.destination)?.intervalMs ?? 0);
}

function wholeAttempt(plan: Plan, failure: Failure): OrderResult['history'][number] {
  return {
    subKey: '',
    action: 'none',
    sourceVersion: plan.order.source?.secretVersion ?? null,
    outcome: failure.cause.class,
    cause: failure.cause,
    durationMs: 0,
  };
}

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
