import pRetry from 'p-retry';
import { createBatcher } from '../../../libs/batching/batcher.ts';
import { Bag } from '../../../libs/collections/bag.ts';
import type { Database } from '../../../libs/db/connect.ts';
import type { Log } from '../../../libs/log/log.ts';
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
 * in the background: an entry without an end still tells that the change was attempted. `settled` waits for these ends.
 */
export type AuditTrail = {
  begin: (event: NewAuditEvent) => Promise<number>;
  end: (end: AuditEnd) => void;
  settled: () => Promise<void>;
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
  const ending = new Bag<Promise<unknown>>();
  return {
    begin,
    end: (event) => {
      if (ending.size >= MOST_WAITING) return;
      const written = end(event)
        .catch((error: unknown) =>
          log.warn({ error, event: event.id }, 'the outcome of an audit entry was not stored'),
        )
        .finally(() => takeOut());
      const takeOut = ending.add(written);
    },
    settled: async () => {
      await Promise.all(ending);
    },
  };
}
