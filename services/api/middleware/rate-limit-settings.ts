import type { Database } from '../../../libs/db/connect.ts';
import type { Log } from '../../../libs/log/log.ts';
import { readRateLimit } from '../../../libs/settings/rate-limit.ts';

// A change must be enforced everywhere within two seconds, whether or not its event arrives.
const POLL_MS = 1000;

/** The limit in force, in requests per second; undefined while limiting is off. Undo: `stop`. */
export type RateLimitSettings = { current: () => number | undefined; stop: () => Promise<void> };

/** Follows the general settings; while Postgres does not answer, the last known limit stays. */
export async function followRateLimit({ db, log }: { db: Database; log: Log }): Promise<RateLimitSettings> {
  let limit: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const poll = async (): Promise<void> => {
    try {
      limit = await readRateLimit(db);
    } catch (error) {
      log.warn({ error }, 'the rate limit could not be read');
    }
    if (!stopped) timer = setTimeout(pollAgain, POLL_MS).unref();
  };
  const pollAgain = (): void => {
    polling = poll();
  };
  let polling = poll();
  await polling;

  return {
    current: () => limit,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
