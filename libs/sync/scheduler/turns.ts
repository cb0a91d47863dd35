import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Group } from './groups.ts';

// Where the process has time to spare, and where it has none: then a turn costs more than a crowd.
const PER_TURN = { spare: 1, full: 4 };
// Not nearer to 1: while it begins one push a turn, a worker that can do no more still sleeps for moments.
const FULL = 0.75;
const LOOK_EVERY_MS = 30;

/**
 * Begins few pushes in each turn of the event loop. All those of one turn reach the store together, and so do their
 * answers: without a limit pushes gather into ever larger crowds, which wait for each other while slots are empty.
 */
export class Turns {
  readonly #begin: (group: Group) => void;
  readonly #isEnding: () => boolean;
  #waiting: Group[] = [];
  #begun = 0;
  #perTurn = PER_TURN.spare;
  #lookedAt = 0;
  #usage: EventLoopUtilization = performance.eventLoopUtilization();

  constructor(begin: (group: Group) => void, isEnding: () => boolean) {
    this.#begin = begin;
    this.#isEnding = isEnding;
  }

  /** In this turn where there is room in it, else in one that follows. */
  begin(group: Group): void {
    if (this.#isEnding()) return this.#begin(group);
    if (this.#begun >= this.#perTurn) return void this.#waiting.push(group);
    if (this.#begun === 0) setImmediate(() => this.#nextTurn());
    this.#begun += 1;
    this.#begin(group);
  }

  /** What still waits for its turn, at once. */
  beginAll(): void {
    for (const group of this.#waiting.splice(0)) this.#begin(group);
  }

  #nextTurn(): void {
    this.#begun = 0;
    this.#look();
    for (const group of this.#waiting.splice(0, this.#perTurn)) this.begin(group);
  }

  // How much of the time since the last look the event loop was at work.
  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_EVERY_MS) return;
    const usage = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(usage, this.#usage);
    this.#perTurn = utilization > FULL ? PER_TURN.full : PER_TURN.spare;
    this.#usage = usage;
    this.#lookedAt = now;
  }
}
