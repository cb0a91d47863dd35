import { performance } from 'node:perf_hooks';
import { createBatcher } from '../../batching/batcher.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sql-state.ts';
import { isDeadlock } from '../../db/transact.ts';
import { isUnreachable } from '../../db/unreachable.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import { storeResults, type Stored } from '../../store/orders/store-results.ts';
import type { EngineParts } from './parts.ts';

const RESULTS_PER_BATCH = 400;
// While others are being pushed a result waits a moment for theirs: one statement for thirty costs little more than for one.
const GATHER_MS = 50;
const STORE_AGAIN_MS = 300;

/** Told after a batch is stored: its results, and the destinations that have work again because of them. */
export type OnStored = (results: OrderResult[], dueAgain: Set<number>) => void;

/** Stores outcomes in batches, one under way at a time; never throws. `isBusy`: more results are on their way. */
export function createResultStore(
  parts: EngineParts,
  isBusy: () => boolean,
  onStored: OnStored,
): (results: OrderResult[]) => Promise<void> {
  const store = createBatcher(
    async (batches: OrderResult[][]) => {
      const late: Promise<void>[] = [];
      await storeApart(parts, batches.flat(), onStored, late);
      return batches.map(() => Promise.all(late));
    },
    { most: RESULTS_PER_BATCH, waitMs: () => (isBusy() ? GATHER_MS : 0) },
  );
  return async (results) => {
    await store(results);
  };
}

// One result that cannot be stored must not take the others along: halving finds it. Where somebody holds a row, the next batch
// does not wait for that: what is left of this one is stored beside it (`late`).
async function storeApart(
  parts: EngineParts,
  results: OrderResult[],
  onStored: OnStored,
  late: Promise<void>[],
): Promise<void> {
  let stored: Stored;
  try {
    stored = await storePersistently(parts, results);
  } catch (error) {
    if (results.length > 1 && !isUnreachable(error)) {
      const middle = Math.ceil(results.length / 2);
      const halves = [results.slice(0, middle), results.slice(middle)];
      const stores = halves.map((half) => storeApart(parts, half, onStored, late));
      if (isSqlState(error, LOCK_NOT_AVAILABLE)) late.push(...stores);
      else await Promise.all(stores);
      return;
    }
    // The rows stay leased until their leases end, then they are pushed again with nothing taken for certain.
    parts.context.log.error({ error, orders: results.length }, 'results could not be stored');
    return;
  }
  await parts.step('after-store');
  const { newer, lost } = stored;
  noteLost(parts, lost);
  const again = results.filter(
    (result) => newer.has(result.id) || lost.has(result.id) || !result.settled || result.finding,
  );
  onStored(results, new Set(again.map((result) => result.destinationId)));
}

// A database that is away for a moment, or let another go first, must not cost the rows the rest of their leases.
async function storePersistently(parts: EngineParts, results: OrderResult[]): Promise<Stored> {
  const { context, stop } = parts;
  const giveUpAt = performance.now() + context.config.LEASE;
  for (;;) {
    try {
      return await storeResults(context.db, results);
    } catch (error) {
      // Of several the others need not wait.
      const isHeld = results.length === 1 && isSqlState(error, LOCK_NOT_AVAILABLE);
      const passes = isUnreachable(error) || isDeadlock(error) || isHeld;
      if (!passes || stop.aborted || performance.now() > giveUpAt) throw error;
      context.log.warn({ error, orders: results.length }, 'waiting to store results');
      await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
    }
  }
}

function noteLost({ context, destination }: EngineParts, lost: Set<number>): void {
  if (lost.size === 0) return;
  context.metrics.leasesLost.inc({ type: destination.type }, lost.size);
  for (const association of lost) context.log.warn({ association }, 'a lease had ended before its result');
}
