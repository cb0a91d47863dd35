type Held<Item> = { item: Item; index: number };

/**
 * What is under way, in no order; `add` returns what takes it out again.
 *
 * For what comes and goes with every request a Set will not do: V8 gives it a new table every few additions, and each
 * table it leaves refers to the next. So a table that has grown old keeps all after it, with whole requests in them, until
 * the next full collection. In the API that was a quarter of the processor time of a read.
 */
export class Bag<Item> implements Iterable<Item> {
  readonly #all: Held<Item>[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(item: Item): () => void {
    const held = { item, index: this.#all.length };
    this.#all.push(held);
    return () => this.#takeOut(held);
  }

  /** What is in it now, whatever is taken out on the way. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.#all.map(({ item }) => item).values();
  }

  #takeOut(held: Held<Item>): void {
    if (this.#all[held.index] !== held) return;
    const last = this.#all.pop();
    if (last === undefined || last === held) return;
    last.index = held.index;
    this.#all[held.index] = last;
  }
}
