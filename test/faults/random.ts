/** Repeatable random choices: the same seed gives the same choices. */
export type Random = {
  /** At least 0, less than 1. */
  next: () => number;
  integer: (below: number) => number;
  chance: (probability: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  shuffle: <Item>(items: readonly Item[]) => Item[];
  /** A separate stream, so that concurrent actors do not change each other's choices. */
  fork: (label: string) => Random;
};

/** A stream of random choices from a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[integer(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .toSorted((left, right) => left.rank - right.rank)
        .map(({ item }) => item),
    fork: (label) => createRandom(Buffer.from(label).reduce((sum, byte) => (sum * 31 + byte) | 0, seed)),
  };
}
