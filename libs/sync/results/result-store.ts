import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../../batching/batcher.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sql-state.ts';
import { isDeadlock } from '../../db/transact.ts';
import { isUnreachable } from '../../db/unreachable.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import { storeResults, type Stored } from '../../store/orders/store-results.ts';
import type { EngineParts } from '../parts.ts';

const RESULTS_PER_BATCH = 400;
// While others are being pushed a result waits a moment for theirs: one statement for thirty costs little more than for one.
const GATHER_MS = 50;
const STORE_AGAIN_MS = 300;

/** Told after a batch is stored: its results, and the destinations that have work again because of them. */
export type OnStored = (results: OrderResult[], dueAgain: Set<number>) => void;

type Storing = { parts: EngineParts; onStored: OnStored; late: LateStores };

/** What a held row kept from being stored with its batch: one store at a time, so that it takes one connection. */
type LateStores = { add: (store: () => Promise<void>) => Promise<void> };

/** Stores outcomes in batches, one under way at a time; never throws. `isBusy`: more results are on their way. */
export function createResultStore(
  parts: EngineParts,
  isBusy: () => boolean,
  onStored: OnStored,
): (results: OrderResult[]) => Promise<void> {
  const storing: Storing = { parts, onStored, late: createLateStores() };
  const store = createBatcher(
    async (batches: OrderResult[][]) => {
      const giveUpAt = performance.now() + parts.context.config.LEASE;
      const late = await storeApart(batches.flat(), giveUpAt, storing);
      // The next batch need not wait for those.
      return batches.map(() => Promise.all(late));
    },
    { most: RESULTS_PER_BATCH, waitMs: () => (isBusy() ? GATHER_MS : 0) },
  );
  return async (results) => {
    await store(results);
  };
}

function createLateStores(): LateStores {
  let last = Promise.resolve();
  return { add: (store) => (last = last.then(store, store)) };
}

// One result that cannot be stored must not take the others along: halving finds it. Where somebody holds a row, what is left is
// stored later, which the returned promises end with.
async function storeApart(
  results: OrderResult[],
  giveUpAt: number,
  storing: Storing,
): Promise<Promise<void>[]> {
  const { parts, onStored } = storing;
  let stored: Stored;
  try {
    stored = await storePersistently(parts, results, giveUpAt);
  } catch (error) {
    const isHeld = isSqlState(error, LOCK_NOT_AVAILABLE);
    if (results.length > 1 && !isUnreachable(error)) {
      const middle = Math.ceil(results.length / 2);
      const halves = [results.slice(0, middle), results.slice(middle)];
      if (isHeld) return halves.map((half) => storeLater(half, giveUpAt, storing));
      const late: Promise<void>[] = [];
      for (const half of halves) late.push(...(await storeApart(half, giveUpAt, storing)));
      return late;
    }
    if (isHeld && !parts.stop.aborted && performance.now() < giveUpAt) {
      await sleep(STORE_AGAIN_MS);
      return [storeLater(results, giveUpAt, storing)];
    }
    // The rows stay leased until their leases end, then they are pushed again with nothing taken for certain.
    parts.context.log.error({ error, orders: results.length }, 'results could not be stored');
    return [];
  }
  await parts.step('after-store');
  const { newer, lost } = stored;
  noteLost(parts, lost);
  const again = results.filter(
    (result) => newer.has(result.id) || lost.has(result.id) || !result.settled || result.finding,
  );
  onStored(results, new Set(again.map((result) => result.destinationId)));
  return [];
}

async function storeLater(results: OrderResult[], giveUpAt: number, storing: Storing): Promise<void> {
  let later: Promise<void>[] = [];
  await storing.late.add(async () => {
    later = await storeApart(results, giveUpAt, storing);
  });
  await Promise.all(later);
}

// A database that is away for a moment, or let another go first, must not cost the rows the rest of their leases.
async function storePersistently(
  { context, resultsDb, stop }: EngineParts,
  results: OrderResult[],
  giveUpAt: number,
): Promise<Stored> {
  for (;;) {
    try {
      return await storeResults(resultsDb, results);
    } catch (error) {
      const passes = isUnreachable(error) || isDeadlock(error);
      if (!passes || stop.aborted || performance.now() > giveUpAt) throw error;
      context.log.warn({ error, orders: results.length }, 'waiting to store results');
      await sleep(STORE_AGAIN_MS);
    }
  }
}

function noteLost({ context, destination }: EngineParts, lost: Set<number>): void {
  if (lost.size === 0) return;
  context.metrics.leasesLost.inc({ type: destination.type }, lost.size);
  for (const association of lost) context.log.warn({ association }, 'a lease had ended before its result');
}
