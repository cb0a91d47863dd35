// Far below the 50 ms that other requests may wait.
const SLICE_MS = 10;

// When the work of this turn of the event loop began; undefined while none was done.
let began: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Makes a pause for work that may take long on the event loop. Await it between two small steps: after 10 ms of such work
 * in one turn of the event loop, whoever did it, it lets everything else run that waits. Of many at work, one goes on in
 * each turn.
 */
export function createPause(): () => Promise<void> | undefined {
  noteTurn();
  return () => (performance.now() - noteTurn() < SLICE_MS ? undefined : nextTurn());
}

/** Waits for a turn of the event loop in which no other such work is done: for one step that may take some 10 ms. */
export function takeTurn(): Promise<void> {
  noteTurn();
  return nextTurn();
}

function noteTurn(): number {
  if (began === undefined) {
    began = performance.now();
    setImmediate(turn);
  }
  return began;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve));
}

function turn(): void {
  const next = waiting.shift();
  began = undefined;
  if (!next) return;
  noteTurn();
  next();
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
