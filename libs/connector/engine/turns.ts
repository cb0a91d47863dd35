import type { Group } from './groups.ts';

const PER_TURN = 4;

/**
 * Begins few pushes in each turn of the event loop. All those of one turn reach the store together, and so do their
 * answers: without a limit pushes gather into ever larger crowds, which wait for each other while slots are empty.
 */
export class Turns {
  readonly #begin: (group: Group) => void;
  readonly #isEnding: () => boolean;
  #waiting: Group[] = [];
  #begun = 0;

  constructor(begin: (group: Group) => void, isEnding: () => boolean) {
    this.#begin = begin;
    this.#isEnding = isEnding;
  }

  /** In this turn where there is room in it, else in one that follows. */
  begin(group: Group): void {
    if (this.#isEnding()) return this.#begin(group);
    if (this.#begun >= PER_TURN) return void this.#waiting.push(group);
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
    for (const group of this.#waiting.splice(0, PER_TURN)) this.begin(group);
  }
}
