type Place<Item> = { item: Item; index: number };

/**
 * What is under way, in no order; `add` returns what takes it out again.
 *
 * For what comes and goes with every request a Set will not do: V8 gives it a new table every few additions, and each
 * table it leaves refers to the next. So one that has grown old keeps all after it, with what was in them, until the next
 * full collection: whole requests, which makes those frequent.
 */
export class Bag<Item> implements Iterable<Item> {
  readonly #places: Place<Item>[] = [];

  get size(): number {
    return this.#places.length;
  }

  add(item: Item): () => void {
    const place = { item, index: this.#places.length };
    this.#places.push(place);
    return () => this.#takeOut(place);
  }

  /** What is in it now, whatever is taken out on the way. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.#places.map(({ item }) => item).values();
  }

  #takeOut(place: Place<Item>): void {
    if (this.#places[place.index] !== place) return;
    const last = this.#places.pop();
    if (last === undefined || last === place) return;
    last.index = place.index;
    this.#places[place.index] = last;
  }
}
