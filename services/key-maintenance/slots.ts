import { createTask } from 'node-cron';

const MINUTE_MS = 60_000;
// Every job runs at least once a day, so the latest time of its schedule is never further back.
const LOOK_BACK_MINUTES = 2 * 24 * 60;

/** The latest time of a schedule that is not after `now`, to the minute. */
export function latestSlot(cron: string, now: Date): Date {
  const task = createTask(cron, () => undefined, { timezone: 'UTC' });
  try {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    for (let back = 0; back <= LOOK_BACK_MINUTES; back += 1) {
      const slot = new Date((minute - back) * MINUTE_MS);
      if (task.match(slot)) return slot;
    }
  } finally {
    void task.destroy();
  }
  throw new Error(`the schedule ${cron} has no time within two days`);
}
