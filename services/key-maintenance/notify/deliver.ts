import pLimit from 'p-limit';
import { groupBy } from '../../../libs/collections/group-by.ts';
import { listSetting } from '../../../libs/config/config.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import {
  countTroubledMessages,
  findDueMessages,
  loadNotifications,
  storeMessage,
  type Message,
  type MessageEnd,
} from '../../../libs/store/notifications/deliveries.ts';
import type { Channel, Notification } from '../../../libs/store/notifications/notifications.ts';
import { openAlertSecrets, type PlacedRule } from '../../../libs/store/notifications/rules.ts';
import type { JobRun } from '../job.ts';
import { channelsOf, channelsOfRule } from './channels.ts';
import { consoleAddress } from './console-address.ts';
import { sendEmail } from './email.ts';
import { callWebhook, DeliveryError } from './webhook.ts';
import { toCall } from './call.ts';

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;
const MOST_MESSAGES = 500;
const MOST_OF_CHANNEL = 20;
const CHANNELS_AT_ONCE = 16;
// Other jobs of the process wait meanwhile; the rest is due at the next run.
const LONGEST_RUN_MS = 30_000;

type Summary = { sent: number; failed: number; given_up: number; problems: number };

/**
 * Tries all due messages: those of one channel one after the other, until one fails; channels side by side, so that a
 * broken one does not hold up another. A failed message is tried again for a day, with growing waits. `problems` counts
 * failures that the operator should know of, until they are mended; those of other namespaces are their own.
 */
export async function deliverDue(run: JobRun, rules: PlacedRule[]): Promise<Summary> {
  const { services, now, signal } = run;
  const summary = { sent: 0, failed: 0, given_up: 0, problems: 0 };
  const end = performance.now() + LONGEST_RUN_MS;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const due = await findDueMessages(services.db, { now, each: MOST_OF_CHANNEL, limit: MOST_MESSAGES });
  const channels = groupBy(due, ({ ruleId, channel, recipient }) => `${ruleId} ${channel} ${recipient}`);
  const limit = pLimit(CHANNELS_AT_ONCE);
  const deliver = async (messages: Message[]): Promise<void> => {
    for (const message of messages) {
      if (signal.aborted || performance.now() > end) return;
      if (!(await deliverOne(message, { run, byId, summary }))) return;
    }
  };
  await limit.map(channels.values(), deliver);
  // A run that found nothing to try again yet has mended nothing.
  const own = rules.filter(({ namespace }) => namespace === '').map(({ id }) => id);
  const waiting = await countTroubledMessages(services.db, own);
  return { ...summary, problems: Math.max(summary.problems, waiting) };
}

type Means = { run: JobRun; byId: Map<number, PlacedRule>; summary: Summary };

/** False if the channel failed: what else is due for it waits for a later run. */
async function deliverOne(message: Message, { run, byId, summary }: Means): Promise<boolean> {
  const { services, now } = run;
  const rule = message.ruleId === null ? undefined : byId.get(message.ruleId);
  if (!isWanted(message, run, rule)) {
    const detail = 'The rule no longer names this recipient.';
    await store(message, run, { ...NEVER, error: 'not_configured', detail });
    return true;
  }
  const tried = await attempt(message, run, rule).then(
    (detail) => ({ error: null, detail }),
    (error: unknown) => describe(error),
  );
  const isDelivered = tried.error === null;
  const dueAt = isDelivered ? null : nextTry(message, now);
  await store(message, run, { ...tried, triedAt: now, deliveredAt: isDelivered ? now : null, dueAt });
  if (isDelivered) {
    summary.sent += 1;
    return true;
  }
  summary.failed += 1;
  if (dueAt === null) summary.given_up += 1;
  if (rule === undefined || rule.namespace === '') summary.problems += 1;
  services.log.warn(
    {
      notification: message.messageId,
      rule: message.ruleId,
      channel: message.channel,
      code: tried.error,
      givenUp: dueAt === null,
    },
    'a notification was not delivered',
  );
  return false;
}

async function attempt(message: Message, run: JobRun, rule: PlacedRule | undefined): Promise<string> {
  const { config, commands, installation, keyring, db } = run.services;
  const notifications = await loadNotifications(db, message);
  const { messageId: id, recipient } = message;
  const pageOf = (one: Notification): string => consoleAddress(config, one);
  if (message.channel === 'email')
    return sendEmail(commands, {
      id,
      notifications,
      recipient,
      installation: installation.id,
      timeZone: rule?.settings.quiet_time_zone ?? '',
      pageOf,
    });
  const { url = '', secret = '' } = rule
    ? (openAlertSecrets(keyring, rule) ?? {})
    : { url: config.NOTIFY_WEBHOOK_URL, secret: config.NOTIFY_WEBHOOK_SECRET };
  const egressAllow = listSetting(config.EGRESS_ALLOW);
  return callWebhook(
    { url, secret, egressAllow },
    toCall({ id, notifications, installation: installation.id, pageOf }),
    run.now,
  );
}

// False if the configuration or the rule no longer names the recipient.
function isWanted(message: Message, { services }: JobRun, rule: PlacedRule | undefined): boolean {
  const channels: Channel[] =
    message.ruleId === null ? channelsOf(services.config) : rule ? channelsOfRule(rule.settings) : [];
  return channels.some(
    ({ channel, recipient }) => channel === message.channel && recipient === message.recipient,
  );
}

const NEVER: MessageEnd = { deliveredAt: null, dueAt: null, triedAt: null, error: null, detail: null };

async function store(message: Message, { change }: JobRun, end: MessageEnd): Promise<void> {
  await change(async (transaction) => {
    await storeMessage(transaction, message, end);
    return end.deliveredAt ? 1 : 0;
  });
}

function nextTry({ attempts, queuedAt }: Message, now: Date): Date | null {
  if (now.getTime() - queuedAt.getTime() >= GIVE_UP_AFTER_MS) return null;
  return new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS));
}

// The text of any other error may hold the address of a webhook, which is a secret.
function describe(error: unknown): { error: string; detail: string } {
  if (error instanceof DeliveryError) return { error: error.code, detail: error.message };
  if (error instanceof RequestError) {
    const text = error.problems.map(({ detail }) => detail.replace(/; nothing was \w+$/, '')).join('; ');
    return { error: error.code, detail: `Not sent: ${text}.` };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { error: /^\w{1,60}$/.test(code) ? code : 'unknown', detail: 'An error that nobody foresaw.' };
}
