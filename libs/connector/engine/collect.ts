import { setTimeout as sleep } from 'node:timers/promises';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Gathers items while a batch is under way and sends them together when it has ended: no delay when idle, ever larger
 * batches under load. `send` gets at most `most` items and answers for the whole batch; `waitMs` says how long a batch
 * that is not full waits for more.
 */
export function createCollector<Item, Result>(
  send: (items: Item[]) => Promise<Result>,
  { most, waitMs }: { most: number; waitMs: () => number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let sending = false;

  const drain = async (): Promise<void> => {
    sending = true;
    while (waiting.length > 0) {
      const wait = waiting.length < most ? waitMs() : 0;
      if (wait > 0) await sleep(wait);
      const batch = waiting.splice(0, most);
      try {
        const result = await send(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve(result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    sending = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!sending) void drain();
    });
}
