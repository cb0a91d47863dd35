import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../time/with-timeout.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Options = {
  /** Most items of one batch. */
  most: number;
  /** How long a batch that is not full waits for more items; absent: it does not wait. */
  waitMs?: () => number;
  /** How long the next batch waits for the running one; absent: until that has ended. */
  patienceMs?: number;
};

/**
 * Combines single calls into batches: calls that arrive while a batch runs go together into the next one. So an idle
 * batcher adds no delay, and a busy one makes larger batches. `run` returns a result for each item, in the same order. If
 * it throws, all items of the batch get the error.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { most, waitMs = () => 0, patienceMs }: Options,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = false;

  const carryOut = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length < batch.length) throw new Error('a batch returned too few results');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const wait = waiting.length < most ? waitMs() : 0;
      if (wait > 0) await sleep(wait);
      const ended = carryOut(waiting.splice(0, most));
      await (patienceMs === undefined ? ended : withTimeout(patienceMs, ended).catch(() => undefined));
    }
    running = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}
