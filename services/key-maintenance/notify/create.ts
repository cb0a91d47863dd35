import { randomId } from '../../../libs/crypto/fingerprint.ts';
import type { Database } from '../../../libs/db/connect.ts';
import {
  adoptFormerDeliveries,
  findHoldingRules,
  insertDeliveries,
  releaseHeld,
  type NewDelivery,
} from '../../../libs/store/notifications/deliveries.ts';
import {
  insertNotifications,
  type Channel,
  type Notification,
} from '../../../libs/store/notifications/notifications.ts';
import { listEnabledRules, type PlacedRule } from '../../../libs/store/notifications/rules.ts';
import { tellFailures, tellHealed, type Told } from '../../../libs/store/notifications/tellings.ts';
import { isQuiet } from '../../../libs/time/quiet-hours.ts';
import { channelsOfRule } from './channels.ts';
import { tellWorkers } from './workers.ts';
import {
  findHappenings,
  findLongFailures,
  MOST_TOLD,
  type Happening,
  type OutsideFacts,
} from './happenings.ts';

const MINUTE_MS = 60_000;
// A message stays well below the size that receivers take.
const MOST_OF_MESSAGE = 50;

/**
 * Finds what happened since the last look, stores it, and queues it for the channels of the environment and for every rule
 * that it concerns. Call it in a transaction: nothing is then lost or repeated. Returns the number of notifications.
 */
export async function createNotifications(
  transaction: Database,
  sight: OutsideFacts,
  environment: Channel[],
): Promise<number> {
  const { now } = sight;
  await adoptFormerDeliveries(transaction);
  const rules = await listEnabledRules(transaction, { lock: true });
  const shared = (await findHappenings(transaction, sight)).map((one) => toNotification(one, now));
  const workers = await tellWorkers(transaction, sight, {
    rules: rules.filter((rule) => rule.namespace === '' && wants(rule, 'workers.missing')),
    hasEnvironment: environment.length > 0,
  });
  const failures = environment.length === 0 ? [] : await findLongFailures(transaction, sight);
  const forEnvironment = [
    ...shared,
    ...[...workers.forEnvironment, ...failures].map((one) => toNotification(one, now)),
  ];
  const deliveries = queueForEnvironment(environment, forEnvironment, now);
  const own: Notification[] = [];
  for (const rule of rules) {
    const tellings = [
      ...(workers.forRules.get(rule.id) ?? []),
      ...(await tellOf(transaction, rule, now)),
    ].map((one) => toNotification(one, now));
    own.push(...tellings);
    // What concerns the whole installation belongs to the root namespace.
    const wanted = [...(rule.namespace === '' ? shared : []), ...tellings].filter(({ kind }) =>
      wants(rule, kind),
    );
    deliveries.push(...queueFor(rule, wanted, now));
  }
  const stored = [...forEnvironment, ...own];
  await insertNotifications(transaction, stored);
  await insertDeliveries(transaction, deliveries);
  await release(transaction, rules, now);
  return stored.length;
}

function queueForEnvironment(channels: Channel[], notifications: Notification[], now: Date): NewDelivery[] {
  return notifications.flatMap(({ id }) =>
    channels.map((channel) => ({
      ...channel,
      ruleId: null,
      notificationId: id,
      messageId: id,
      held: false,
      at: now,
    })),
  );
}

async function tellOf(transaction: Database, rule: PlacedRule, now: Date): Promise<Happening[]> {
  if (!wants(rule, 'associations.failing')) return [];
  const { minutes, resolved } = rule.settings;
  const healed = await tellHealed(transaction, rule, { most: MOST_TOLD });
  const before = new Date(now.getTime() - minutes * MINUTE_MS);
  const failing = await tellFailures(transaction, rule, { before, most: MOST_TOLD });
  return [
    ...(resolved ? healed.map((one) => describeTold('associations.resolved', one)) : []),
    ...failing.map((one) => describeTold('associations.failing', one, { minutes })),
  ];
}

function describeTold(
  kind: string,
  { namespace, type, name, total, associations }: Told,
  more: Record<string, unknown> = {},
): Happening {
  return { kind, data: { destination: { namespace, type, name }, ...more, total, associations } };
}

// Who wants to hear of failures decides separately whether to hear of their end.
const BEGINNINGS: Record<string, string> = {
  'associations.resolved': 'associations.failing',
  'workers.returned': 'workers.missing',
};

function wants({ settings: { happenings } }: PlacedRule, kind: string): boolean {
  return happenings.length === 0 || happenings.includes(BEGINNINGS[kind] ?? kind);
}

function queueFor(rule: PlacedRule, notifications: Notification[], now: Date): NewDelivery[] {
  const isHeld = holdsBack(rule, now);
  return channelsOfRule(rule.settings).flatMap((channel) =>
    notifications.map(({ id }) => ({
      ...channel,
      ruleId: rule.id,
      notificationId: id,
      messageId: newMessageId(),
      held: isHeld,
      at: now,
    })),
  );
}

// Whether it is quiet is asked anew at each run, so a change of the rule or of a clock counts at once.
async function release(transaction: Database, rules: PlacedRule[], now: Date): Promise<void> {
  const holding = new Set(await findHoldingRules(transaction));
  for (const rule of rules) {
    if (holding.has(rule.id) && !holdsBack(rule, now))
      await releaseHeld(transaction, rule.id, { now, most: MOST_OF_MESSAGE, newId: newMessageId });
  }
}

function holdsBack({ settings }: PlacedRule, now: Date): boolean {
  // An absent or empty time is no number, and so never later.
  const isMuted = Date.parse(settings.muted_until ?? '') > now.getTime();
  return isMuted || isQuiet(settings, now);
}

function toNotification(happening: Happening, happenedAt: Date): Notification {
  return { id: `ntf_${randomId(24)}`, happenedAt, ...happening };
}

function newMessageId(): string {
  return `msg_${randomId(24)}`;
}
