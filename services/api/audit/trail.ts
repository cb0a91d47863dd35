import pRetry from 'p-retry';
import { createBatcher } from '../../../libs/batching/batcher.ts';
import { Bag } from '../../../libs/collections/bag.ts';
import type { Database } from '../../../libs/db/connect.ts';
import type { Log } from '../../../libs/log/log.ts';
import { createOwnRefusals, type OwnRefusals } from './own-refusals.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import {
  finishAuditEvents,
  insertAuditEvents,
  type AuditEnd,
  type NewAuditEvent,
} from '../../../libs/store/audit/events.ts';

const BATCH = 200;
const RETRY = { retries: 4, minTimeout: 500, maxTimeout: 2000 };
const PATIENCE_MS = 1000;
const END_DELAY_MS = 50;
const MOST_WAITING = 20_000;

/**
 * Writes audit entries of many requests at once: entries that come while a statement runs share the next statement.
 * `begin` resolves when the entry is durable, and throws if it could not be written. `end` returns at once and retries
 * in the background: an entry without an end still tells that the change was attempted. `add` does the same for entries
 * that have already ended, and `refused` counts a refused request. `ownRefusals` bounds the entries of refused requests.
 * `settled` waits for all of these. Undo: `stop`.
 */
export type AuditTrail = {
  begin: (event: NewAuditEvent) => Promise<number>;
  end: (end: AuditEnd) => void;
  add: (event: NewAuditEvent) => void;
  refused: Refusals['count'];
  ownRefusals: OwnRefusals;
  settled: () => Promise<void>;
  stop: () => Promise<void>;
};

export function createAuditTrail(db: Database, log: Log): AuditTrail {
  const begin = createBatcher((events: NewAuditEvent[]) => insertAuditEvents(db, events), {
    most: BATCH,
    patienceMs: PATIENCE_MS,
  });
  // No request waits for an end, so a batch waits a moment for more of them.
  const end = createBatcher(
    async (ends: AuditEnd[]) => {
      await pRetry(() => finishAuditEvents(db, ends), RETRY);
      return ends;
    },
    { most: BATCH, waitMs: () => END_DELAY_MS },
  );
  const add = createBatcher((events: NewAuditEvent[]) => pRetry(() => insertAuditEvents(db, events), RETRY), {
    most: BATCH,
    waitMs: () => END_DELAY_MS,
  });
  const refusals = createRefusals(db, log);
  const ending = new Bag<Promise<unknown>>();
  const inBackground = (write: () => Promise<unknown>): void => {
    if (ending.size >= MOST_WAITING) return;
    const written = write()
      .catch((error: unknown) => log.warn({ error }, 'a part of the audit trail was not stored'))
      .finally(() => takeOut());
    const takeOut = ending.add(written);
  };
  const settled = async (): Promise<void> => {
    await Promise.all([...ending, refusals.flush()]);
  };
  return {
    begin,
    end: (event) => inBackground(() => end(event)),
    add: (event) => inBackground(() => add(event)),
    refused: refusals.count,
    ownRefusals: createOwnRefusals(),
    settled,
    stop: async () => {
      await settled();
      await refusals.stop();
    },
  };
}
