import { isUnreachable } from '../db/unreachable.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/connect.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { noteHome } from '../store/maintenance/home.ts';
import {
  countUp,
  describeLoss,
  noteLoss,
  readLoss,
  type Count,
  type Loss,
} from '../store/maintenance/lost-writes.ts';

const COUNT_MS = 1000;

/** Whether a failover or a restore lost acknowledged changes, or the database is a copy. */
export type LossWatch = {
  /** Changes are refused until an operator decides. */
  isRefusing: () => boolean;
  /** The last loss. */
  present: () => Loss;
  /** Calls a listener for each loss that any process finds from now on, and for one that waits for a decision. */
  onLoss: (listener: () => void) => void;
  stop: () => Promise<void>;
};

/**
 * Reads the database's counter every second. If a new branch inherited less than this process has seen, the branch lacks
 * acknowledged changes. If the counter of a branch went back, an earlier state was restored under this process. Resolves
 * once it is known whether a decision is pending. Undo: `stop`.
 */
export async function startLossWatch(services: {
  db: Database;
  databaseId: string;
  config: Config;
  log: Log;
  metrics: Metrics;
}): Promise<LossWatch> {
  const { db, databaseId, config, log, metrics } = services;
  const accepted = config.ON_LOST_WRITES === 'continue';
  const listeners: (() => void)[] = [];
  let seen: Pick<Count, 'id' | 'counted'> | undefined;
  let known = await beginWith(db, databaseId);
  // Listeners register later.
  let isNews = known.isRefusing;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const tell = (loss: Loss): void => {
    isNews ||= loss.foundAt !== null && loss.foundAt.getTime() !== known.foundAt?.getTime();
    known = loss;
    if (!isNews) return;
    isNews = false;
    log.error(describeLoss(known));
    for (const listener of listeners) listener();
  };
  const look = async (): Promise<void> => {
    let now = await countUp(db);
    const restored = seen !== undefined && seen.id === now.id && now.counted < seen.counted;
    const hasLost = restored || (seen !== undefined && seen.id !== now.id && now.inherited < seen.counted);
    if (hasLost && (await noteLoss(db, now.id, { accepted, restored }))) now = await countUp(db);
    seen = { id: now.id, counted: now.counted };
    tell(now);
  };
  // One look at a time: a commit may wait for a standby.
  const lookAgain = async (): Promise<void> => {
    await look().catch((error: unknown) =>
      // Without Postgres, others tell. Anything else would leave a loss unseen.
      log[isUnreachable(error) ? 'debug' : 'error'](
        { error },
        'the counter of the database branch could not be incremented',
      ),
    );
    if (stopped) return;
    timer = setTimeout(() => {
      looking = lookAgain();
    }, COUNT_MS);
  };
  let looking = lookAgain();
  metrics.read(['lostWrites'], () => metrics.lostWrites.set(known.isRefusing ? 1 : 0));
  return {
    isRefusing: () => known.isRefusing,
    present: () => known,
    onLoss: (listener) => void listeners.push(listener),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

// A read-only database is no place to note anything, and no order can be claimed in it.
async function beginWith(db: Database, databaseId: string): Promise<Loss> {
  await noteHome(db, databaseId).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
  });
  return readLoss(db);
}
