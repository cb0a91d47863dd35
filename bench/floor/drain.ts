import { randomBytes } from 'node:crypto';
import type { Write } from './clients/client.ts';
import type { Order, Statements } from './statements.ts';

// As many as Sealift claims and loads at most.
const MOST_PER_CLAIM = 500;

type Work = {
  destinations: number[];
  statements: Statements;
  writes: Map<string, Write>;
  batchSize: number;
  concurrency: number;
};

/**
 * Pushes what is due, with the least that it takes: the next claim runs beside the calls, and one statement stores all results
 * that came meanwhile. No leases that end, no failures, no limits, no order of turns.
 */
export async function drain({
  destinations,
  statements,
  writes,
  batchSize,
  concurrency,
}: Work): Promise<void> {
  const waiting: Order[] = [];
  const done: Order[] = [];
  const state = { isEmpty: false };
  let claiming: Promise<void> | undefined;
  let storing: Promise<void> | undefined;

  const claim = (): Promise<void> => {
    claiming ??= (async () => {
      const orders = await statements.claim(destinations, MOST_PER_CLAIM);
      waiting.push(...orders);
      state.isEmpty = orders.length === 0;
      claiming = undefined;
    })();
    return claiming;
  };
  const store = (): Promise<void> => {
    storing ??= (async () => {
      while (done.length > 0) await statements.store(done.splice(0));
      storing = undefined;
    })();
    return storing;
  };
  const nextBatch = async (): Promise<Order[]> => {
    while (waiting.length === 0 && !state.isEmpty) await claim();
    if (waiting.length < concurrency * batchSize && !state.isEmpty) void claim();
    return waiting.splice(0, batchSize);
  };
  const slot = async (): Promise<void> => {
    for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
      await writes.get(batch[0]?.destination ?? '')?.(batch.map(toItem));
      done.push(...batch);
      void store();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, slot));
  await store();
}

function toItem({ name, reference }: Order) {
  return { name, reference, value: JSON.stringify({ password: randomBytes(16).toString('hex') }) };
}
