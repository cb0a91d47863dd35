import type { OrderResult } from '../../store/orders/result.ts';
import type { ClaimRequest, WriteReservation } from '../../store/orders/rate-limit.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Plan } from '../order.ts';
import { RateLimiter } from './rate-limiter.ts';

// Claimed orders are in memory with their values.
const MOST_ORDERS = 2000;
// Fewer calls than this already keep one core busy.
const MOST_CALLS = 256;
// Storing that a whole destination failed takes less than this.
const FAILED_WAIT_MS = 300;
// A destination that fails for a moment is tried again soon; one that stays away costs a few calls a minute.
const LONGEST_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;
// Each notification makes every other worker claim, and a claim takes as many orders as that worker can push meanwhile.
const NOTIFY_EVERY_MS = 100;
// Longer than the time between two claims of a rate-limited queue.
const MOMENT_MS = 500;

/** Orders that are pushed together: as many as the store takes in one call. Times are of `performance.now()`. */
export type Batch = {
  plans: Plan[];
  /** When the lease of the orders ends. */
  deadline: number;
  /** The reserved time of its first write, if the destination is rate limited. */
  startAt: number;
  trace: Trace | undefined;
};

/** The limits of each queue with work: claimed orders, and calls in flight. */
export type Share = { orders: number; calls: number };

export type QueueLimits = {
  /** The configured number of concurrent calls to one destination. */
  concurrency: number;
  /** How many orders go out in one call. */
  batchSize: number;
};

/**
 * One destination's work in this worker. Each queue has its own concurrency slots, so a slow or broken store delays no
 * other destination.
 */
export class DestinationQueue {
  readonly destinationId: number;
  readonly rateLimiter = new RateLimiter();
  /** Postgres may hold due orders that no worker has claimed. */
  hasWork = false;
  /** Failures in a row of the whole destination. While there are any, one push at a time tests whether it works again. */
  consecutiveFailures = 0;
  /** The queue claims nothing before this time. */
  claimsFrom = 0;
  /** The trace of the request that notified the worker last. The next claim belongs to it. */
  trace: Trace | undefined;
  readonly #limits: QueueLimits;
  readonly #batches: Batch[] = [];
  #waiting = 0;
  #inFlight = 0;
  #revision = 0;
  #notifiedAt = 0;

  constructor(destinationId: number, limits: QueueLimits) {
    this.destinationId = destinationId;
    this.#limits = limits;
  }

  /** Claimed orders whose push has not ended. */
  get outstanding(): number {
    return this.#inFlight + this.#waiting;
  }

  get isIdle(): boolean {
    return !this.hasWork && this.outstanding === 0;
  }

  /** The batch that begins next. */
  get next(): Batch | undefined {
    return this.#batches[0];
  }

  /** Whether one more call may begin. */
  hasSlot(share: Share): boolean {
    return this.#inFlight < this.#slots(share);
  }

  /**
   * How many orders to claim now. For each slot one more order may wait, so that no slot waits for the database; half of
   * them are claimed at a time.
   */
  claimSize(share: Share, now: number): number {
    if (!this.hasWork || this.claimsFrom > now) return 0;
    const slots = this.#slots(share);
    // The first claim only fills the free slots. The next claim takes the orders that are to wait, while the first ones
    // are pushed.
    if (this.outstanding === 0) return Math.min(slots, share.orders);
    if (this.consecutiveFailures > 0) return 0;
    const most = Math.min(2 * slots, share.orders);
    const capacity = most - this.outstanding;
    return capacity >= Math.min(slots, most) / 2 ? capacity : 0;
  }

  /** This queue's part of a claim. */
  claimRequest(orders: number): ClaimRequest {
    return { destinationId: this.destinationId, orders, isRateLimited: this.rateLimiter.isLimited };
  }

  /** Takes out the trace for the next claim. A later claim has another trace, or none. */
  takeTrace(): Trace | undefined {
    const { trace } = this;
    this.trace = undefined;
    return trace;
  }

  /** A claim returned this many orders, perhaps none. */
  expect(
    orders: number,
    claim: { reservation: WriteReservation | undefined; revision?: number | undefined },
  ): void {
    this.#waiting += orders;
    // The claim may be the first to see a change.
    if (claim.revision !== undefined) this.reconsider(claim.revision);
    this.rateLimiter.apply(claim.reservation);
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
  }

  /** Takes out the next batch and gives it a slot. */
  begin(now: number): Batch | undefined {
    const batch = this.#batches.shift();
    if (!batch) return undefined;
    this.#waiting -= batch.plans.length;
    this.#inFlight += batch.plans.length;
    this.rateLimiter.begin(now);
    return batch;
  }

  /** The push of a batch has ended; its slot is free. */
  end({ plans }: Batch): void {
    this.#inFlight -= plans.length;
  }

  /**
   * Updates the queue with what the results of a push say about the destination. Returns for how many milliseconds the queue
   * is to claim nothing: what it claimed would only be handed back, and then be claimed again at once.
   */
  learn(results: OrderResult[], now: number): number {
    const throttleMs = Math.max(...results.map((result) => result.throttleMs));
    // The orders that are claimed already are handed back. One order tries again when it is time.
    const fails = results.some(({ finding }) => finding?.failure);
    const waitMs = fails ? FAILED_WAIT_MS : throttleMs;
    if (waitMs > 0) this.rateLimiter.callNothingBefore(now + waitMs);
    this.note(
      results.some(({ destinationFailed }) => destinationFailed),
      now,
    );
    return fails && this.claimsFrom <= now ? FAILED_WAIT_MS : 0;
  }

  /** A push has ended; `failed`: the whole destination failed. */
  note(failed: boolean, now: number): void {
    this.consecutiveFailures = failed ? this.consecutiveFailures + 1 : 0;
    if (!failed) return;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.consecutiveFailures, 10));
    this.claimsFrom = now + Math.random() * longest;
  }

  /** Whether the queue waits for more than a moment because of an answer of its store. */
  waitsForStore(now: number): boolean {
    return this.claimsFrom > now + MOMENT_MS || !this.rateLimiter.mayCall(now + MOMENT_MS);
  }

  /** Forgets what the store said before, if the destination was changed since. */
  reconsider(revision: number): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.consecutiveFailures = 0;
    this.claimsFrom = 0;
    this.rateLimiter.callAgain();
  }

  /** Whether to notify other workers of more work than this worker takes; at most once in NOTIFY_EVERY_MS. */
  mayNotifyOthers(now: number): boolean {
    const isLimited = this.rateLimiter.isLimited || this.consecutiveFailures > 0;
    if (!this.hasWork || isLimited || now - this.#notifiedAt < NOTIFY_EVERY_MS) return false;
    this.#notifiedAt = now;
    return true;
  }

  #slots(share: Share): number {
    const { concurrency, batchSize } = this.#limits;
    return batchSize * (this.consecutiveFailures > 0 ? 1 : Math.min(concurrency, share.calls));
  }
}

/** How many calls the queues of a worker share: never less than what is configured for one queue. */
export function sharedCalls(concurrency: number): number {
  return Math.max(MOST_CALLS, concurrency);
}

/**
 * Divides the limits of a worker among the queues with work; each gets at least one. A failing destination runs one push
 * at a time: it takes little from the others, however many destinations fail.
 */
export function shareOut(queues: Iterable<DestinationQueue>, concurrency: number): Share {
  let busy = 0;
  let failing = 0;
  for (const queue of queues) {
    if (queue.isIdle) continue;
    if (queue.consecutiveFailures > 0) failing += 1;
    else busy += 1;
  }
  const part = (most: number): number =>
    Math.max(1, Math.floor(Math.max(most / 2, most - failing) / Math.max(1, busy)));
  return { orders: part(MOST_ORDERS), calls: part(sharedCalls(concurrency)) };
}
