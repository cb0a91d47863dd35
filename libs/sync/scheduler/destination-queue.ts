import type { OrderResult } from '../../store/orders/result.ts';
import type { ClaimRequest, WriteReservation } from '../../store/orders/rate-limit.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Plan } from '../push/plan.ts';
import { RateLimiter } from './rate-limiter.ts';

// Claimed orders are in memory with their values.
const MOST_ORDERS = 2000;
// Fewer calls keep one core busy.
const MOST_CALLS = 256;
// Longer than it takes to store that a destination failed as a whole.
const FAILED_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const AHEAD_MS = 200;
const MOST_AHEAD = 400;
const SPEED_SPAN_MS = 250;
const NOTIFY_EVERY_MS = 100;
// Longer than the time between two claims of a rate-limited queue.
const MOMENT_MS = 500;

/** Orders that are pushed together: as many as the store takes in one call. Times are of `performance.now()`. */
export type Batch = {
  plans: Plan[];
  /** When the lease of the orders ends. */
  deadline: number;
  /** The reserved time of its first write, where the destination is rate limited. */
  startAt: number;
  trace: Trace | undefined;
};

/** What each queue with work may have: claimed orders, and calls under way. */
export type Share = { orders: number; calls: number };

export type QueueLimits = {
  /** Calls under way for one destination, by configuration. */
  concurrency: number;
  /** Orders of one call. */
  batchSize: number;
};

/**
 * One destination's work in this worker. Each has concurrency slots of its own, so that a slow or broken store holds up
 * nobody else.
 */
export class DestinationQueue {
  readonly destinationId: number;
  readonly rateLimiter = new RateLimiter();
  /** Postgres may hold orders that nobody has claimed. */
  hasWork = false;
  /** Failures of the destination as a whole; while there are any, one push at a time tries whether it is back. */
  consecutiveFailures = 0;
  /** Nothing is claimed before. */
  pausedUntil = 0;
  /** The request that notified the worker last; the next claim belongs to its trace. */
  trace: Trace | undefined;
  readonly #limits: QueueLimits;
  readonly #batches: Batch[] = [];
  #waiting = 0;
  #inFlight = 0;
  #revision = 0;
  #notifiedAt = 0;
  // Orders a second while there were any, lately; how many were pushed in the present span, and when that began.
  #speed = 0;
  #pushed = 0;
  #measuredFrom = 0;
  #idleFrom = 0;

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

  /** The batch that would begin next. */
  get next(): Batch | undefined {
    return this.#batches[0];
  }

  /** Whether one more call may begin. */
  hasSlot(share: Share): boolean {
    return this.#inFlight < this.#slots(share);
  }

  /**
   * How many orders to claim now. Those that wait for a slot cover the time that a claim takes at the queue's speed: no
   * slot waits for the database, and claims come in batches. A slow queue takes little more than it can push.
   */
  claimSize(share: Share, now: number): number {
    if (!this.hasWork || this.pausedUntil > now) return 0;
    const slots = this.#slots(share);
    // Free slots are filled first. What is to wait is claimed while they push.
    if (this.outstanding === 0) return Math.min(slots, share.orders);
    if (this.consecutiveFailures > 0) return 0;
    const ahead = Math.min(MOST_AHEAD, Math.max(slots, Math.round((this.#speed * AHEAD_MS) / 1000)));
    const most = Math.min(slots + ahead, share.orders);
    const capacity = most - this.outstanding;
    return capacity >= Math.min(ahead, most) / 2 ? capacity : 0;
  }

  /** What a claim asks Postgres for. */
  claimRequest(orders: number): ClaimRequest {
    return { destinationId: this.destinationId, orders, isRateLimited: this.rateLimiter.isLimited };
  }

  /** The trace of the next claim; the one after it has another, or none. */
  takeTrace(): Trace | undefined {
    const { trace } = this;
    this.trace = undefined;
    return trace;
  }

  /** Orders were claimed, none perhaps. The time without work does not count for the speed. */
  expect(
    orders: number,
    claim: { reservation: WriteReservation | undefined; revision?: number | undefined },
    now: number,
  ): void {
    if (this.outstanding === 0) {
      this.#measuredFrom += now - this.#idleFrom;
      this.#idleFrom = now;
    }
    this.#waiting += orders;
    this.#revision = claim.revision ?? this.#revision;
    this.rateLimiter.apply(claim.reservation);
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
  }

  /** Takes the next batch out, into a slot. */
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

  /** Takes over what the results of a push say of the destination. */
  learn(results: OrderResult[], now: number): void {
    const throttleMs = Math.max(...results.map((result) => result.throttleMs));
    // What was claimed already is handed back: one order will try, when it is time.
    const pauseMs = results.some(({ finding }) => finding?.failure) ? FAILED_PAUSE_MS : throttleMs;
    if (pauseMs > 0) this.rateLimiter.pauseUntil(now + pauseMs);
    this.note(
      results.length,
      results.some(({ destinationFailed }) => destinationFailed),
      now,
    );
  }

  /** Counts pushed orders; `failed`: the destination as a whole did. */
  note(orders: number, failed: boolean, now: number): void {
    this.#measure(orders, now);
    this.consecutiveFailures = failed ? this.consecutiveFailures + 1 : 0;
    if (!failed) return;
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.consecutiveFailures, 10));
    this.pausedUntil = now + Math.random() * longest;
  }

  /** Whether it waits for more than a moment because of what its store answered. */
  isHeldBack(now: number): boolean {
    return this.pausedUntil > now + MOMENT_MS || this.rateLimiter.isPaused(now + MOMENT_MS);
  }

  /** Forgets what the store said before the destination was changed, where it was. */
  reconsider(revision: number): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.consecutiveFailures = 0;
    this.pausedUntil = 0;
    this.rateLimiter.endPause();
  }

  /** Whether to tell other workers of more work than this one takes; a few times a second at most. */
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

  #measure(orders: number, now: number): void {
    this.#pushed += orders;
    this.#idleFrom = now;
    const span = now - this.#measuredFrom;
    if (span < SPEED_SPAN_MS) return;
    this.#speed = (this.#pushed / span) * 1000;
    this.#pushed = 0;
    this.#measuredFrom = now;
  }
}

/** How many calls the queues of a worker share; one may have as many as it is configured to. */
export function sharedCalls(concurrency: number): number {
  return Math.max(MOST_CALLS, concurrency);
}

/**
 * Shares the bounds of a worker out to the queues with work, at least one each. A failing destination tries with one push
 * at a time: it takes little from the others, however many fail.
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
