import { performance } from 'node:perf_hooks';
import { sharedCalls, type Batch, type DestinationQueue, type Share } from './destination-queue.ts';

// A push needs the processor until its call is out, and hundreds may begin at once. In one turn of the event loop they would
// hold up everything else in the process.
const PER_TURN = 4;

/** A clock in milliseconds that never goes back, timers, and turns of the event loop. Tests bring their own. */
export type SchedulerClock = {
  now: () => number;
  after: (milliseconds: number, action: () => void) => void;
  nextTurn: (action: () => void) => void;
};

export const systemClock: SchedulerClock = {
  now: () => performance.now(),
  after: (milliseconds, action) => void setTimeout(action, milliseconds).unref(),
  nextTurn: (action) => void setImmediate(action),
};

type SlotOptions = {
  clock: SchedulerClock;
  concurrency: number;
  /** Pushes a batch; its slot is taken until `release`. */
  begin: (queue: DestinationQueue, batch: Batch) => void;
};

/**
 * The worker's semaphore for calls. The queues begin batches in turn, if the queue, the worker and the rate limit all
 * allow one more.
 */
export class CallSlots {
  /** The limits of each queue at this moment. */
  share: Share = { orders: 1, calls: 1 };
  readonly #options: SlotOptions;
  // Queues that may begin a batch, in the order of their turns.
  readonly #ready = new Set<DestinationQueue>();
  // Queues whose next write is reserved for later: each has one timer.
  readonly #delayed = new Set<DestinationQueue>();
  // Each queue has at least one slot, so hundreds of queues can have more slots than they share. This limit bounds the
  // memory: a call holds up to 150 KB in its SDK.
  readonly #most: number;
  #calls = 0;
  #begunInTurn = 0;
  #isDraining = false;

  constructor(options: SlotOptions) {
    this.#options = options;
    this.#most = 2 * sharedCalls(options.concurrency);
  }

  /** Whether any push is running. */
  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Begins all batches that can begin. A queue that cannot go on is added again when it can. */
  fill(...queues: DestinationQueue[]): void {
    for (const queue of queues) this.#ready.add(queue);
    for (const queue of this.#ready) {
      const isTurnFull = this.#begunInTurn >= PER_TURN && !this.#isDraining;
      if (isTurnFull || this.#calls >= this.#most) return;
      this.#ready.delete(queue);
      if (this.#beginNext(queue)) this.#ready.add(queue);
    }
  }

  /** A push of the queue has ended. */
  release(queue: DestinationQueue): void {
    this.#calls -= 1;
    this.fill(queue);
  }

  /** Begins each waiting batch as soon as there is a slot, without regard to its reserved time. */
  drain(queues: Iterable<DestinationQueue>): void {
    this.#isDraining = true;
    this.fill(...queues);
  }

  #beginNext(queue: DestinationQueue): boolean {
    if (!queue.next || !queue.hasSlot(this.share)) return false;
    const now = this.#options.clock.now();
    const delay = this.#isDraining ? 0 : queue.rateLimiter.delay(queue.next.startAt, now);
    if (delay > 0) {
      this.#fillLater(queue, delay);
      return false;
    }
    const batch = queue.begin(now);
    if (!batch) return false;
    this.#calls += 1;
    if (this.#begunInTurn === 0) this.#options.clock.nextTurn(() => this.#nextTurn());
    this.#begunInTurn += 1;
    this.#options.begin(queue, batch);
    return true;
  }

  #nextTurn(): void {
    this.#begunInTurn = 0;
    this.fill();
  }

  #fillLater(queue: DestinationQueue, milliseconds: number): void {
    if (this.#delayed.has(queue)) return;
    this.#delayed.add(queue);
    this.#options.clock.after(milliseconds, () => {
      this.#delayed.delete(queue);
      this.fill(queue);
    });
  }
}
