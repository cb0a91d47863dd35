import type { Config } from '../config/config.ts';
import type { Database } from '../db/connect.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { countUp, noteLoss, type Count } from '../store/maintenance/lost-writes.ts';

const COUNT_MS = 1000;

/** Whether acknowledged changes were lost in a failover. `isRefusing`: changes are refused until somebody decides. */
export type LossWatch = {
  isRefusing: () => boolean;
  /** Calls a listener when a loss is seen first by this process. */
  onLoss: (listener: () => void) => void;
  stop: () => Promise<void>;
};

/**
 * Looks at the database's counter every second. A branch that inherited less than this process has seen lacks what was
 * acknowledged before. Undo: `stop`.
 */
export function startLossWatch(parts: {
  db: Database;
  config: Config;
  log: Log;
  metrics: Metrics;
}): LossWatch {
  const { db, config, log, metrics } = parts;
  const listeners: (() => void)[] = [];
  let seen: Pick<Count, 'id' | 'counted'> | undefined;
  let refusing = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const tell = (isRefusing: boolean, isNew: boolean): void => {
    if (isNew || (isRefusing && !refusing)) {
      log.error('the failover lost changes that were acknowledged');
      for (const listener of listeners) listener();
    }
    refusing = isRefusing;
  };
  const look = async (): Promise<void> => {
    const now = await countUp(db);
    const hasLost = seen !== undefined && seen.id !== now.id && now.inherited < seen.counted;
    const accepted = config.ON_LOST_WRITES === 'continue';
    const isNew = hasLost && (await noteLoss(db, now.id, { accepted }));
    seen = { id: now.id, counted: now.counted };
    tell(now.isRefusing || (isNew && !accepted), isNew);
  };
  // One look at a time: a commit may wait for a standby.
  const lookAgain = async (): Promise<void> => {
    await look().catch((error: unknown) => log.debug({ error }, 'the counter could not be read'));
    if (stopped) return;
    timer = setTimeout(() => {
      looking = lookAgain();
    }, COUNT_MS);
  };
  let looking = lookAgain();
  metrics.read(['lostWrites'], () => metrics.lostWrites.set(refusing ? 1 : 0));
  return {
    isRefusing: () => refusing,
    onLoss: (listener) => void listeners.push(listener),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
