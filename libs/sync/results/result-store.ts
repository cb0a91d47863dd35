import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { createBatcher } from '../../batching/batcher.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../db/sql-state.ts';
import { isConflict } from '../../db/conflicts.ts';
import { isUnreachable } from '../../db/unreachable.ts';
import type { EventSender } from '../../queue/events.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import { storeResults, type Stored } from '../../store/orders/store-results.ts';
import type { Engine } from '../engine.ts';
import { createAnnouncer } from './announce.ts';
import { createIncidentNoter } from './note-incidents.ts';

// A claim takes 500 orders at most. One locked row makes a whole batch be stored in halves, so a larger one gains nothing.
const RESULTS_PER_BATCH = 400;
// While other pushes run, a result waits a moment for theirs: one statement for thirty costs little more than for one.
const GATHER_MS = 50;
// A deadlock is over by then; asking a database that is away more often would not bring it back.
const STORE_AGAIN_MS = 300;

/**
 * Stores the results of one push. Returns true if the destination has work again. `moreComing`: other pushes are running.
 * Never throws.
 */
export type StoreResults = (results: OrderResult[], moreComing: boolean) => Promise<boolean>;

/** The results of one push: how many are not stored yet, and whether a stored one says that there is work again. */
type Pushed = { left: number; hasWork: boolean; end: (hasWork: boolean) => void };

type Item = { result: OrderResult; pushed: Pushed };

type Storing = {
  engine: Engine;
  announce: (results: OrderResult[]) => void;
  /** Notes the incidents of destinations, a little later. */
  note: (destinationIds: Set<number>) => void;
  /** When the leases of these results end at the latest. */
  giveUpAt: number;
  /** Stores the results of locked rows, one statement after the other, so that they take one connection. */
  storeLater: (store: () => Promise<void>) => void;
};

/** Stores results in batches, one batch at a time. Announces each batch that is stored. */
export function createResultStore(engine: Engine, events: EventSender): StoreResults {
  const announce = createAnnouncer(engine, events);
  const note = createIncidentNoter(engine);
  let moreComing = false;
  let last = Promise.resolve();
  const storeLater = (store: () => Promise<void>): void => void (last = last.then(store, store));
  const store = createBatcher(
    async (batches: Item[][]) => {
      const giveUpAt = performance.now() + engine.context.config.LEASE;
      await storeItems(batches.flat(), { engine, announce, note, giveUpAt, storeLater });
      return batches;
    },
    { most: RESULTS_PER_BATCH, waitMs: () => (moreComing ? GATHER_MS : 0) },
  );
  return (results, more) => {
    moreComing = more;
    return new Promise((end) => {
      const pushed = { left: results.length, hasWork: false, end };
      void store(results.map((result) => ({ result, pushed })));
    });
  };
}

async function storeItems(items: Item[], storing: Storing): Promise<void> {
  const { engine } = storing;
  const results = items.map(({ result }) => result);
  let stored: Stored;
  try {
    stored = await storePersistently(results, storing);
  } catch (error) {
    return storeApart(items, error, storing);
  }
  await engine.checkpoint('after-store');
  noteLateResults(engine, stored.lost);
  storing.announce(results);
  storing.note(stored.troubled);
  for (const item of items) countStored(item, hasWorkAgain(item.result, stored));
}

// One result that cannot be stored must not block the others: halving the batch finds it. If another transaction locks a
// row, both halves are stored later, and the next batch does not wait for them.
async function storeApart(items: Item[], error: unknown, storing: Storing): Promise<void> {
  const { engine, giveUpAt } = storing;
  const isLocked = isSqlState(error, LOCK_NOT_AVAILABLE);
  if (items.length > 1 && !isUnreachable(error)) {
    const middle = Math.ceil(items.length / 2);
    for (const half of [items.slice(0, middle), items.slice(middle)]) {
      if (isLocked) storing.storeLater(() => storeItems(half, storing));
      else await storeItems(half, storing);
    }
    return;
  }
  if (isLocked && !engine.stop.aborted && performance.now() < giveUpAt) {
    storing.storeLater(() => sleep(STORE_AGAIN_MS).then(() => storeItems(items, storing)));
    return;
  }
  // The rows stay leased until their leases end. Then workers push them again, and nothing counts as confirmed.
  engine.context.log.error({ error, orders: items.length }, 'results could not be stored');
  for (const item of items) countStored(item, false);
}

function hasWorkAgain(result: OrderResult, { newer, lost }: Stored): boolean {
  return newer.has(result.id) || lost.has(result.id) || !result.settled || result.finding !== null;
}

function countStored({ pushed }: Item, hasWork: boolean): void {
  pushed.left -= 1;
  pushed.hasWork ||= hasWork;
  if (pushed.left === 0) pushed.end(pushed.hasWork);
}

// A short outage or a deadlock must not keep the rows waiting for the rest of their leases.
function storePersistently(
  results: OrderResult[],
  { engine: { context, resultsDb, stop }, giveUpAt }: Storing,
): Promise<Stored> {
  return pRetry(() => storeResults(resultsDb, results), {
    retries: Infinity,
    minTimeout: STORE_AGAIN_MS,
    factor: 1,
    shouldRetry: ({ error }) => isPassing(error) && !stop.aborted && performance.now() <= giveUpAt,
    onFailedAttempt: ({ error }) => {
      if (isPassing(error)) context.log.warn({ error, orders: results.length }, 'waiting to store results');
    },
  });
}

function isPassing(error: Error): boolean {
  return isUnreachable(error) || isConflict(error);
}

function noteLateResults({ context, destination }: Engine, lost: Set<number>): void {
  if (lost.size === 0) return;
  context.metrics.leasesLost.inc({ type: destination.type }, lost.size);
  for (const association of lost)
    context.log.warn({ association }, 'a result came after its lease had ended');
}
