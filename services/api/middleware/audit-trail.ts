import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../libs/db/connect.ts';
import type { Log } from '../../../libs/log/log.ts';
import {
  finishAuditEvents,
  insertAuditEvents,
  type AuditEnd,
  type NewAuditEvent,
} from '../../../libs/store/audit.ts';

const BATCH = 200;
const ATTEMPTS = 5;
const RETRY_MS = 500;
const END_DELAY_MS = 10;
const MOST_WAITING = 20_000;

/**
 * Writes audit entries of many requests at once: those that come while a statement is under way share the next one.
 * `begin` resolves when the entry is durable and throws where it could not be written; `end` returns at once and tries
 * again by itself, since an entry without an end still tells that the change was attempted. `settled` waits for those.
 */
export type AuditTrail = {
  begin: (event: NewAuditEvent) => Promise<number>;
  end: (end: AuditEnd) => void;
  settled: () => Promise<void>;
};

export function createAuditTrail(db: Database, log: Log): AuditTrail {
  const begin = createBatcher((events: NewAuditEvent[]) => insertAuditEvents(db, events));
  // Nobody waits for an end, so a moment is given for more to come.
  const end = createBatcher(async (ends: AuditEnd[]) => {
    await persist(() => finishAuditEvents(db, ends));
    return ends;
  }, END_DELAY_MS);
  const ending = new Set<Promise<unknown>>();
  return {
    begin,
    end: (event) => {
      if (ending.size >= MOST_WAITING) return;
      const written = end(event)
        .catch((error: unknown) =>
          log.warn({ error, event: event.id }, 'the end of an audit entry was not written'),
        )
        .finally(() => ending.delete(written));
      ending.add(written);
    },
    settled: async () => {
      await Promise.all(ending);
    },
  };
}

/** Gathers single calls into one; each gets the result at its own place. One call of `run` is under way at a time. */
function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  delayMs = 0,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;
  const drain = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      if (delayMs > 0) await sleep(delayMs);
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, index) => {
          const result = results[index];
          if (result === undefined) reject(new Error('a batch returned too few results'));
          else resolve(result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}

async function persist(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS * attempt);
    }
  }
}
