import { withJobLock } from '../../../libs/store/maintenance/jobs.ts';
import { deleteNotifications } from '../../../libs/store/notifications/notifications.ts';
import { listEnabledRules } from '../../../libs/store/notifications/rules.ts';
import type { MaintenanceServices, Work } from '../job.ts';
import { channelsOf, channelsOfRule } from '../notify/channels.ts';
import { createNotifications } from '../notify/create.ts';
import { deliverDue } from '../notify/deliver.ts';
import { noteEnvironment } from '../notify/environment.ts';

const KEEP_MS = 90 * 24 * 60 * 60 * 1000;
const BATCH = 1000;

/**
 * Tells people what they should know, through the environment's channels and by the rules for alerts. Does nothing
 * without either.
 */
export const notify: Work = {
  name: 'notify',
  description:
    'Send alerts about long failures, missing workers, rotated keys and dead letters by webhook and email',
  run: async (run) => {
    const { services, now, change } = run;
    const environment = channelsOf(services.config);
    const rules = await listEnabledRules(services.db);
    await change((transaction) => noteEnvironment(transaction, services.config));
    const channels = environment.length + rules.flatMap(({ settings }) => channelsOfRule(settings)).length;
    if (channels === 0) return { channels };
    const sight = {
      now,
      failedMinutes: services.config.NOTIFY_FAILED_MINUTES,
      masterKey: services.keyring.current.id.toString('hex'),
      deadLetters: await countDeadLetters(services),
      idleWorkers: await findIdleWorkers(services),
    };
    const created = await change((transaction) => createNotifications(transaction, sight, environment));
    const { problems, ...delivered } = await deliverDue(run, rules);
    await change(async (transaction) => {
      await deleteNotifications(transaction, { before: new Date(now.getTime() - KEEP_MS), limit: BATCH });
      return 0;
    });
    return { channels, created, ...delivered, problems };
  },
};

// Whoever does this runs, if only by hand.
async function findIdleWorkers(services: MaintenanceServices): Promise<string[] | null> {
  const idle = await services.findIdleWorkers();
  return idle && idle.filter((name) => name !== 'key-maintenance');
}

// While the `dead-letters` job runs, it takes each message out and puts it back, so a count would be wrong.
async function countDeadLetters({
  db,
  countDeadLetters: count,
}: MaintenanceServices): Promise<number | null> {
  return withJobLock(db, 'dead-letters', async () => {
    try {
      return await count();
    } catch {
      return null;
    }
  });
}
