import { listSetting } from '../../../libs/config/config.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import {
  findDueDeliveries,
  storeDelivery,
  type Delivery,
  type DeliveryEnd,
} from '../../../libs/store/notifications/notifications.ts';
import type { JobRun } from '../job.ts';
import { channelsOf } from './channels.ts';
import { sendEmail } from './email.ts';
import { callWebhook } from './webhook.ts';

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;
const BATCH = 200;
// Other jobs of the process wait meanwhile; the rest is due at the next run.
const LONGEST_RUN_MS = 30_000;

/** Tries all due deliveries, one after the other. A failed delivery is retried for a day, with growing waits. */
export async function deliverDue(run: JobRun): Promise<{ sent: number; failed: number; given_up: number }> {
  const { services, now, signal } = run;
  const summary = { sent: 0, failed: 0, given_up: 0 };
  const end = performance.now() + LONGEST_RUN_MS;
  for (const delivery of await findDueDeliveries(services.db, { now, limit: BATCH })) {
    if (signal.aborted || performance.now() > end) break;
    if (!isWanted(delivery, run)) {
      await finish(delivery, { deliveredAt: null, dueAt: null, error: 'not_configured' }, run);
      continue;
    }
    const error = await attempt(delivery, run).then(() => null, codeOf);
    const dueAt = error === null ? null : nextTry(delivery, now);
    await finish(delivery, { deliveredAt: error === null ? now : null, dueAt, error }, run);
    summary[error === null ? 'sent' : 'failed'] += 1;
    if (error === null) continue;
    if (dueAt === null) summary.given_up += 1;
    services.log.warn(
      {
        notification: delivery.notification.id,
        channel: delivery.channel,
        code: error,
        givenUp: dueAt === null,
      },
      'a notification was not delivered',
    );
  }
  return summary;
}

async function attempt({ channel, recipient, notification }: Delivery, run: JobRun): Promise<void> {
  const { config, commands, installation } = run.services;
  if (channel === 'email')
    return sendEmail(commands, { notification, recipient, installation: installation.id });
  const { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: secret } = config;
  return callWebhook(
    { url, secret, egressAllow: listSetting(config.EGRESS_ALLOW) },
    { notification, installation: installation.id, now: run.now },
  );
}

// False if the configuration no longer names the recipient.
function isWanted({ channel, recipient }: Delivery, { services }: JobRun): boolean {
  return channelsOf(services.config).some((one) => one.channel === channel && one.recipient === recipient);
}

async function finish({ id }: Delivery, end: Omit<DeliveryEnd, 'id'>, { change }: JobRun): Promise<void> {
  await change(async (transaction) => {
    await storeDelivery(transaction, { id, ...end });
    return end.deliveredAt ? 1 : 0;
  });
}

function nextTry({ attempts, notification }: Delivery, now: Date): Date | null {
  if (now.getTime() - notification.happenedAt.getTime() >= GIVE_UP_AFTER_MS) return null;
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS));
}

// An error's text may contain the address, which is a secret; its code does not.
function codeOf(error: unknown): string {
  if (error instanceof RequestError) return error.code;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^\w{1,60}$/.test(code) ? code : 'unknown';
}
