import { groupBy } from '../../collections/group-by.ts';
import type { Claim } from '../../store/orders/claim.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import type { ClaimRequest, WriteReservation } from '../../store/orders/rate-limit.ts';
import { currentTrace, type Trace } from '../../tracing/trace.ts';
import type { Lease, Plan } from '../order.ts';
import { CallSlots, systemClock, type SchedulerClock } from './call-slots.ts';
import { DestinationQueue, shareOut, type Batch, type QueueLimits } from './destination-queue.ts';

// Claimed orders are in memory with their values, and all other queues wait for the end of the claim.
const MOST_PER_CLAIM = { queues: 500, orders: 500 };
// One statement reserves the new names of orders that are planned together, but the first call waits for the last of them.
const PLANNED_TOGETHER = 32;
// An idle queue takes less than a kilobyte, and remembers what its store said.
const FORGET_IDLE_ABOVE = 5000;

export type SchedulerOptions = QueueLimits & {
  leaseMs: number;
  /** Returns undefined if Postgres does not answer. Never throws. */
  claim: (requests: ClaimRequest[]) => Promise<Claim | undefined>;
  /** Plans claimed orders; one plan for each, in order. Never throws. */
  prepare: (orders: WorkOrder[]) => Promise<Plan[]>;
  /** Never throws. */
  push: (plans: Plan[], lease: Lease) => Promise<OrderResult[]>;
  /**
   * Stores the results of one push. Returns true if the destination has work again. `moreComing`: other pushes are
   * running. Never throws.
   */
  store: (results: OrderResult[], moreComing: boolean) => Promise<boolean>;
  findRevisions: (destinationIds: number[]) => Promise<Map<number, number>>;
  /** Notifies other workers that a destination has more work than this worker takes. */
  notifyWorkers: (destinationId: number) => void;
  clock?: SchedulerClock;
};

/**
 * Decides which destination may push which orders, and when. One claim runs at a time, for all queues with free slots
 * together. Each queue has its own slots, and all queues share one semaphore for calls.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: SchedulerClock;
  // In the order of their last claim, so that each queue has its turn.
  readonly #queues = new Map<number, DestinationQueue>();
  readonly #slots: CallSlots;
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  #unfinished = 0;
  #isStopped = false;
  #whenIdle: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#slots = new CallSlots({
      clock: this.#clock,
      concurrency: options.concurrency,
      begin: (queue, batch) => void this.#run(queue, batch),
    });
  }

  /**
   * These destinations have work. Resolves when a claim that began after this call has ended: it has claimed what was due
   * at the call.
   */
  async notify(destinationIds: number[]): Promise<void> {
    if (this.#isStopped) return;
    const trace = currentTrace();
    for (const id of destinationIds) {
      const queue = this.#queueOf(id);
      queue.hasWork = true;
      queue.trace = trace ?? queue.trace;
    }
    await this.#reconsider(destinationIds);
    await this.#claim();
  }

  /** Claims nothing more and waits for the pushes in flight. Orders that wait for a slot are handed back by their push. */
  async drain(): Promise<void> {
    this.#isStopped = true;
    await this.#claiming;
    this.#slots.drain(this.#queues.values());
    if (this.#unfinished > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #queueOf(destinationId: number): DestinationQueue {
    const known = this.#queues.get(destinationId);
    if (known) return known;
    if (this.#queues.size > FORGET_IDLE_ABOVE) {
      for (const [id, queue] of this.#queues)
        if (queue.isIdle && queue.consecutiveFailures === 0) this.#queues.delete(id);
    }
    const queue = new DestinationQueue(destinationId, this.#options);
    this.#queues.set(destinationId, queue);
    return queue;
  }

  // When somebody has fixed a destination, it need not wait any more.
  async #reconsider(destinationIds: number[]): Promise<void> {
    const now = this.#clock.now();
    const ids = destinationIds.filter((id) => this.#queueOf(id).waitsForStore(now));
    if (ids.length === 0) return;
    const revisions = await this.#options.findRevisions(ids);
    for (const id of ids) this.#queueOf(id).reconsider(revisions.get(id) ?? 0);
  }

  // A notification that comes during a claim is served by the next claim.
  #claim(): Promise<void> {
    if (this.#claiming) {
      this.#claimAgain = true;
      return this.#claiming.then(() => this.#claiming ?? Promise.resolve());
    }
    this.#claiming = this.#claimOnce().finally(() => {
      this.#claiming = undefined;
      if (!this.#claimAgain) return;
      this.#claimAgain = false;
      this.#claimSoon();
    });
    return this.#claiming;
  }

  #claimSoon(): void {
    if (!this.#isStopped) void this.#claim().catch(() => undefined);
  }

  async #claimOnce(): Promise<void> {
    const claimedAt = this.#clock.now();
    this.#slots.share = shareOut(this.#queues.values(), this.#options.concurrency);
    const chosen = this.#choose(claimedAt);
    if (chosen.length === 0 || this.#isStopped) return;
    const traces = chosen.map(({ queue }) => queue.takeTrace());
    for (const { queue } of chosen) queue.hasWork = false;
    const claim = await this.#options.claim(chosen.map(({ queue, orders }) => queue.claimRequest(orders)));
    if (!claim) {
      // The sweep tries again. Until then the database has time to recover.
      for (const { queue } of chosen) queue.hasWork = true;
      return;
    }
    const claimed = groupBy(claim.orders, (order) => order.destination.id);
    for (const [index, { queue }] of chosen.entries()) {
      const orders = claimed.get(queue.destinationId) ?? [];
      const reservation = claim.reservations.get(queue.destinationId);
      // Where nothing could be reserved, nobody has looked.
      if (claim.more.has(queue.destinationId) || reservation?.writes === 0) queue.hasWork = true;
      const deadline = claimedAt + this.#options.leaseMs;
      void this.#enqueue(queue, orders, { reservation, deadline, trace: traces[index] });
    }
    // Claim again at once if this claim only filled the slots, or if its limits left queues out.
    this.#claimAgain ||= isFull(chosen) || chosen.some(({ queue }) => this.#claimSize(queue) > 0);
  }

  // Queues with work, within the limits of one claim. The queues that were served last come last.
  #choose(now: number): Chosen[] {
    const chosen: Chosen[] = [];
    let total = 0;
    for (const queue of this.#queues.values()) {
      if (chosen.length === MOST_PER_CLAIM.queues || total >= MOST_PER_CLAIM.orders) break;
      const orders = Math.min(queue.claimSize(this.#slots.share, now), MOST_PER_CLAIM.orders - total);
      if (orders <= 0) continue;
      chosen.push({ queue, orders });
      total += orders;
    }
    for (const { queue } of chosen) {
      this.#queues.delete(queue.destinationId);
      this.#queues.set(queue.destinationId, queue);
    }
    return chosen;
  }

  #claimSize(queue: DestinationQueue): number {
    return queue.claimSize(this.#slots.share, this.#clock.now());
  }

  async #enqueue(
    queue: DestinationQueue,
    orders: WorkOrder[],
    claim: { reservation: WriteReservation | undefined; deadline: number; trace: Trace | undefined },
  ): Promise<void> {
    const { reservation, deadline, trace } = claim;
    const now = this.#clock.now();
    this.#unfinished += orders.length;
    queue.expect(orders.length, { reservation, revision: orders[0]?.destination.revision });
    if (queue.mayNotifyOthers(now)) this.#options.notifyWorkers(queue.destinationId);
    if (reservation && queue.hasWork) this.#claimLater(queue, reservation.againMs);
    const { batchSize } = this.#options;
    const together = Math.max(batchSize, PLANNED_TOGETHER - (PLANNED_TOGETHER % batchSize));
    for (let start = 0; start < orders.length; start += together) {
      const plans = await this.#options.prepare(orders.slice(start, start + together));
      for (let from = 0; from < plans.length; from += batchSize) {
        const startAt = queue.rateLimiter.startOf(reservation, now, start + from);
        queue.add({ plans: plans.slice(from, from + batchSize), deadline, startAt, trace });
      }
      this.#slots.fill(queue);
    }
  }

  // The queue claims nothing before this time: its store's rate limit allows no further reservation, or it has just failed.
  #claimLater(queue: DestinationQueue, milliseconds: number): void {
    const until = this.#clock.now() + milliseconds;
    queue.claimsFrom = until;
    this.#clock.after(milliseconds, () => {
      // A timer uses the clock of the event loop, which lags: by our clock it may fire a moment too early.
      if (queue.claimsFrom === until) queue.claimsFrom = 0;
      this.#claimSoon();
    });
  }

  async #run(queue: DestinationQueue, batch: Batch): Promise<void> {
    const results = await this.#options.push(batch.plans, {
      deadline: batch.deadline,
      trace: batch.trace,
      mayCall: () => queue.rateLimiter.mayCall(this.#clock.now()),
    });
    const claimInMs = queue.learn(results, this.#clock.now());
    if (claimInMs > 0) this.#claimLater(queue, claimInMs);
    // The slot is free for the next call before the results are stored: storing may take longer than the waiting orders
    // keep the slots busy.
    queue.end(batch);
    this.#slots.release(queue);
    if (this.#claimSize(queue) > 0) this.#claimSoon();
    const hasWork = await this.#options.store(results, this.#slots.isBusy);
    this.#unfinished -= batch.plans.length;
    if (this.#unfinished === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    if (hasWork) this.#queueOf(queue.destinationId).hasWork = true;
    if (this.#queueOf(queue.destinationId).hasWork) this.#claimSoon();
  }
}

type Chosen = { queue: DestinationQueue; orders: number };

function isFull(chosen: Chosen[]): boolean {
  const total = chosen.reduce((sum, { orders }) => sum + orders, 0);
  return chosen.length === MOST_PER_CLAIM.queues || total >= MOST_PER_CLAIM.orders;
}
