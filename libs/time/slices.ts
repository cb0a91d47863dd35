import { setImmediate } from 'node:timers/promises';

// Far below the 50 ms that other requests may wait, because several requests can be at work at once.
const SLICE_MS = 10;

/**
 * Makes a pause for work that may take long on the event loop. Await it between two small steps: after 10 ms of work it
 * lets everything else run that waits, and otherwise returns at once.
 */
export function createPause(): () => Promise<void> | undefined {
  let began = performance.now();
  const rest = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < SLICE_MS ? undefined : rest());
}

/** Like `Array.map`, but lets other work run in between. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const pause = createPause();
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    await pause();
  }
  return results;
}

/** Like `Array.filter`, but lets other work run in between. */
export async function filterInSlices<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
): Promise<Item[]> {
  const wanted = await mapInSlices(items, isWanted);
  return items.filter((_, index) => wanted[index]);
}

/** Like `Array.find`, but lets other work run in between. */
export async function findInSlices<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
): Promise<Item | undefined> {
  const pause = createPause();
  for (const item of items) {
    if (isWanted(item)) return item;
    await pause();
  }
  return undefined;
}
