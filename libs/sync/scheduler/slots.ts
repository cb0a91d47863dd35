import { performance } from 'node:perf_hooks';
import type { Group } from './groups.ts';
import { startDelay, type Lane } from './lanes.ts';
import { sharedCalls } from './shares.ts';
import { Turns } from './turns.ts';

type SlotOptions = {
  /** How many pushes of one lane may be in flight by configuration. */
  concurrency: number;
  /** How many orders of the lane may be in flight. */
  widthOf: (lane: Lane) => number;
  /** Pushes a group; its slot is taken until `release`. */
  begin: (group: Group) => void;
  /** Nothing waits for its time any more: what is left is to be handed back. */
  isEnding: () => boolean;
};

/** Claimed groups on their way: each begins when its lane and the worker have a slot for it, lanes taking turns. */
export class Slots {
  readonly #options: SlotOptions;
  readonly #waiting = new Map<Lane, Group[]>();
  // Lanes whose next write is due later: each has one timer.
  readonly #paced = new Set<Lane>();
  readonly #most: number;
  readonly #turns: Turns;
  #busy = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
    // Each call under way holds what its SDK keeps for it, 150 KB with the largest. Every lane has one slot at least, so
    // that hundreds of destinations with work at once come to more than what lanes share.
    this.#most = 2 * sharedCalls(options.concurrency);
    this.#turns = new Turns(options.begin, options.isEnding);
  }

  /** Whether anything is being pushed. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  add(lane: Lane, groups: Group[]): void {
    const waiting = this.#waiting.get(lane) ?? [];
    this.#waiting.set(lane, waiting);
    for (const group of groups) {
      waiting.push(group);
      lane.waiting += group.orders.length;
    }
    this.#fill(lane);
  }

  /** The push of a group has ended. */
  release({ lane, orders }: Group): void {
    const wasFull = this.#busy >= this.#most;
    this.#busy -= 1;
    lane.inFlight -= orders.length;
    if (wasFull) this.fillAll();
    else this.#fill(lane);
  }

  /** Begins what can begin, in the order in which lanes were served last. */
  fillAll(): void {
    if (this.#options.isEnding()) this.#turns.beginAll();
    for (const lane of this.#waiting.keys()) {
      if (this.#busy >= this.#most) return;
      this.#fill(lane);
    }
  }

  #fill(lane: Lane): void {
    const groups = this.#waiting.get(lane) ?? [];
    const before = groups.length;
    while (lane.inFlight < this.#options.widthOf(lane) && this.#busy < this.#most) {
      const [group] = groups;
      if (!group || this.#mustWait(group)) break;
      groups.shift();
      lane.waiting -= group.orders.length;
      lane.inFlight += group.orders.length;
      this.#busy += 1;
      this.#turns.begin(group);
    }
    if (groups.length > 0 && groups.length === before) return;
    this.#waiting.delete(lane);
    if (groups.length > 0) this.#waiting.set(lane, groups);
  }

  #mustWait({ lane, startAt }: Group): boolean {
    const now = performance.now();
    const wait = this.#options.isEnding() ? 0 : startDelay(lane, startAt, now);
    if (wait <= 0) {
      lane.startedAt = now;
      return false;
    }
    if (!this.#paced.has(lane)) {
      this.#paced.add(lane);
      setTimeout(() => {
        this.#paced.delete(lane);
        this.#fill(lane);
      }, wait);
    }
    return true;
  }
}
