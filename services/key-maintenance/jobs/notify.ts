import { randomId } from '../../../libs/crypto/fingerprint.ts';
import { withJobLock } from '../../../libs/store/maintenance/jobs.ts';
import { deleteNotifications, insertNotifications } from '../../../libs/store/notifications/notifications.ts';
import type { MaintenanceServices, Work } from '../job.ts';
import { channelsOf } from '../notify/channels.ts';
import { deliverDue } from '../notify/deliver.ts';
import { findHappenings } from '../notify/happenings.ts';

const KEEP_MS = 90 * 24 * 60 * 60 * 1000;
const BATCH = 1000;

/**
 * Notifies operators, through the channels they have turned on, of events that a person should know. Does nothing without
 * a channel.
 */
export const notify: Work = {
  name: 'notify',
  description: 'Send notifications about long failures, rotated keys and dead letters by webhook and email',
  run: async (run) => {
    const { services, now, change } = run;
    const channels = channelsOf(services.config);
    if (channels.length === 0) return { channels: 0 };
    const sight = {
      now,
      failedMinutes: services.config.NOTIFY_FAILED_MINUTES,
      masterKey: services.keyring.current.id.toString('hex'),
      deadLetters: await countDeadLetters(services),
    };
    const created = await change(async (transaction) => {
      const happenings = await findHappenings(transaction, sight);
      const notifications = happenings.map((one) => ({ id: `ntf_${randomId(24)}`, happenedAt: now, ...one }));
      await insertNotifications(transaction, notifications, channels);
      return notifications.length;
    });
    const delivered = await deliverDue(run);
    await change(async (transaction) => {
      await deleteNotifications(transaction, { before: new Date(now.getTime() - KEEP_MS), limit: BATCH });
      return 0;
    });
    return { channels: channels.length, created, ...delivered, problems: delivered.failed };
  },
};

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
