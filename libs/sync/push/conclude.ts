import type { OrderResult } from '../../store/orders/result.ts';
import type { OrderAttempt } from './attempt.ts';
import type { Finding } from '../../store/orders/probes.ts';
import { backoffMs, slowMs, type Failure } from './failure.ts';
import { rateLimitOf } from '../scheduler/rate-limiter.ts';
import type { EngineParts } from '../parts.ts';

// Another association may free a name or room; no call is needed to see that.
const RECHECK_MS = 60_000;

/** What an attempt comes to: settled or not, and when to look again. `whole` is a failure that kept it from beginning. */
export function concludeAttempt(attempt: OrderAttempt, parts: EngineParts, whole?: Failure): OrderResult {
  const { order } = attempt;
  const failures = whole ? [whole, ...attempt.failures] : attempt.failures;
  const waiting = attempt.unfinished || failures.some((failure) => failure.retry === 'wait');
  const retried = failures.filter((failure) => failure.retry === 'backoff');
  const attempts = failures.length === 0 || (waiting && retried.length === 0) ? 0 : order.attempts + 1;
  // A failure without an entry of its own is the order's.
  const own = whole ?? (attempt.entries.some((entry) => entry.cause) ? undefined : failures[0]);
  return {
    id: order.id,
    destinationId: order.destination.id,
    mountId: order.mount.id,
    secretPath: order.secretPath,
    leaseToken: order.leaseToken,
    generation: order.generation,
    settled: !waiting,
    removing: order.removing,
    unlinked: order.removing && failures.length === 0 && !waiting && attempt.confirmInMs === null,
    lookAgainMs: earlier(lookAgain(failures, attempts, waiting, parts), attempt.confirmInMs),
    expiresAt: order.source?.deletionTime ?? null,
    throttleMs: Math.max(
      0,
      ...failures.filter((failure) => failure.retry === 'wait').map((failure) => failure.waitMs),
    ),
    paceMs: owedPace(attempt, parts),
    attempts,
    outage: failures.some((failure) => failure.wholeDestination && failure.retry === 'backoff'),
    finding: findingOf(attempt, failures, parts),
    waitsForName: attempt.waitsForName,
    failure: own?.cause ?? null,
    entries: attempt.entries,
    history: own ? [...attempt.history, wholeAttempt(attempt, own)] : attempt.history,
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
  // At once: a throttled or failing destination is not claimed before its time anyway.
  if (waiting || failures.some(isOfDestination)) return 0;
  if (failures.some(({ retry }) => retry === 'recheck')) return RECHECK_MS;
  return failures.some(({ retry }) => retry === 'slow') ? slowMs(attempts, config.RECHECK_MIN) : null;
}

// Somebody outside must mend the destination as a whole.
function isOfDestination({ wholeDestination, retry }: Failure): boolean {
  return wholeDestination && retry === 'slow';
}

// What the attempt tells of the destination: why it fails as a whole, or, where it failed before, that it works again.
function findingOf(attempt: OrderAttempt, failures: Failure[], parts: EngineParts): Finding | null {
  const { failures: count, revision } = attempt.order.destination;
  const failure = failures.find(isOfDestination)?.cause ?? null;
  if (!failure && count === 0) return null;
  const isReached = failures.every(({ wholeDestination, mayLandLate }) => !wholeDestination && !mayLandLate);
  const works =
    isReached && attempt.history.some(({ action }) => action !== 'none' && action !== 'unchanged');
  return { failure, works, failures: count, revision, recheckMs: parts.context.config.RECHECK_MIN };
}

function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function owedPace(attempt: OrderAttempt, parts: EngineParts): number {
  const writes = attempt.history.filter(
    (line) => line.action !== 'unchanged' && line.action !== 'none',
  ).length;
  return Math.max(0, writes - 1) * (rateLimitOf(parts.destination)?.intervalMs ?? 0);
}

function wholeAttempt(attempt: OrderAttempt, failure: Failure): OrderResult['history'][number] {
  return {
    subKey: '',
    action: 'none',
    sourceVersion: attempt.order.source?.version ?? null,
    outcome: failure.cause.class,
    cause: failure.cause,
    durationMs: 0,
  };
}
