import type { Database } from '../../db/connect.ts';
import type { Channel, Notification } from './notifications.ts';
import { TEST } from './tests.ts';

// `ruleId` null: a channel of the environment.
type RuleChannel = Channel & { ruleId: number | null };

/** One message on its way to one recipient; after quiet hours, it may have several notifications. */
export type Message = RuleChannel & { messageId: string; attempts: number; queuedAt: Date };

/** What a try came to: `dueAt` is the time of the next one, null if there is none; `error` is a code. */
export type MessageEnd = {
  deliveredAt: Date | null;
  dueAt: Date | null;
  triedAt: Date | null;
  error: string | null;
  detail: string | null;
};

/** A notification for a channel; a held one waits for `releaseHeld`. */
export type NewDelivery = RuleChannel & {
  notificationId: string;
  messageId: string;
  held: boolean;
  at: Date;
};

const INSERT_ROWS = 1000;

/** Call it in the transaction that stores the notifications. */
export async function insertDeliveries(transaction: Database, deliveries: NewDelivery[]): Promise<void> {
  const rows = deliveries.map(({ ruleId, channel, recipient, notificationId, messageId, held, at }) => ({
    rule_id: ruleId,
    channel,
    recipient,
    notification_id: notificationId,
    message_id: messageId,
    held,
    queued_at: at,
    due_at: held ? null : at,
  }));
  for (let start = 0; start < rows.length; start += INSERT_ROWS)
    await transaction('alert_deliveries').insert(rows.slice(start, start + INSERT_ROWS));
}

/** Takes over what processes of the former version have left to deliver. The release after the next one drops it. */
export async function adoptFormerDeliveries(transaction: Database): Promise<void> {
  await transaction.raw(`
WITH left_over AS (
  DELETE FROM notification_deliveries WHERE due_at IS NOT NULL
  RETURNING notification_id, channel, recipient, attempts, due_at, error
)
INSERT INTO alert_deliveries (notification_id, channel, recipient, message_id, queued_at, attempts, due_at, error)
SELECT l.notification_id, l.channel, l.recipient, l.notification_id, n.happened_at, l.attempts, l.due_at, l.error
FROM left_over l JOIN notifications n ON n.id = l.notification_id`);
}

/** The rules that hold anything. */
export async function findHoldingRules(db: Database): Promise<number[]> {
  const rows: { rule_id: number }[] = await db('alert_deliveries').where('held', true).distinct('rule_id');
  return rows.map(({ rule_id: id }) => id);
}

/**
 * Makes due what a rule has held: all that is for one recipient becomes one message, or several of `most` notifications if
 * there are more. `newId` makes the id of a message.
 */
export async function releaseHeld(
  transaction: Database,
  ruleId: number,
  { now, most, newId }: { now: Date; most: number; newId: () => string },
): Promise<void> {
  const waiting: { id: number; recipient: string }[] = await transaction('alert_deliveries')
    .where({ rule_id: ruleId, held: true })
    .orderBy(['recipient', 'id'])
    .select('id', 'recipient');
  let batch: number[] = [];
  for (const [index, { id, recipient }] of waiting.entries()) {
    batch.push(id);
    if (batch.length < most && waiting[index + 1]?.recipient === recipient) continue;
    await transaction('alert_deliveries')
      .whereRaw('id = ANY (?)', [batch])
      .update({ held: false, queued_at: now, due_at: now, message_id: newId() });
    batch = [];
  }
}

// What is due for a channel whose last try failed comes after what is due for others.
const DUE = `
WITH due AS (
  SELECT rule_id, channel, recipient, message_id, max(attempts) AS attempts, min(queued_at) AS queued_at, min(id) AS first
  FROM alert_deliveries WHERE due_at <= :now
  GROUP BY rule_id, channel, recipient, message_id
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY rule_id, channel, recipient ORDER BY first) AS place FROM due
)
SELECT p.rule_id AS "ruleId", p.channel, p.recipient, p.message_id AS "messageId", p.attempts, p.queued_at AS "queuedAt",
  EXISTS (
    SELECT 1 FROM alert_deliveries t
    WHERE t.rule_id IS NOT DISTINCT FROM p.rule_id AND t.channel = p.channel AND t.recipient = p.recipient
      AND t.due_at IS NOT NULL AND t.attempts > 0
  ) AS troubled
FROM placed p WHERE p.place <= :each
ORDER BY troubled, p.place, p.first LIMIT :limit`;

/** Due messages, at most `each` of a channel. Those of channels that have just failed come last. */
export async function findDueMessages(
  db: Database,
  { now, each, limit }: { now: Date; each: number; limit: number },
): Promise<Message[]> {
  const { rows } = await db.raw<{ rows: Message[] }>(DUE, { now, each, limit });
  return rows;
}

/** How many messages by the environment's channels or by these rules have failed and are to be tried again. */
export async function countTroubledMessages(db: Database, ruleIds: number[]): Promise<number> {
  const [row] = await db('alert_deliveries')
    .whereNotNull('due_at')
    .where('attempts', '>', 0)
    .whereRaw('(rule_id IS NULL OR rule_id = ANY (?))', [ruleIds])
    .countDistinct<{ count: string }[]>('message_id');
  return Number(row?.count ?? 0);
}

/** What a message says, oldest first. */
export async function loadNotifications(db: Database, message: Message): Promise<Notification[]> {
  const rows = await db('alert_deliveries as d')
    .join('notifications as n', 'n.id', 'd.notification_id')
    .where(keyOf(message))
    .orderBy('d.id')
    .select<{ id: string; kind: string; happened_at: Date; data: Record<string, unknown> }[]>(
      'n.id',
      'n.kind',
      'n.happened_at',
      'n.data',
    );
  return rows.map(({ id, kind, happened_at: happenedAt, data }) => ({ id, kind, happenedAt, data }));
}

/** Records the result of a try. */
export async function storeMessage(transaction: Database, message: Message, end: MessageEnd): Promise<void> {
  await transaction('alert_deliveries as d')
    .where(keyOf(message))
    .update({
      attempts: transaction.raw('attempts + ?', [end.triedAt ? 1 : 0]),
      due_at: end.dueAt,
      delivered_at: end.deliveredAt,
      ...(end.triedAt ? { tried_at: end.triedAt } : {}),
      error: end.error,
      detail: end.detail,
    });
}

function keyOf({ ruleId, channel, recipient, messageId }: Message): Record<string, unknown> {
  return {
    'd.rule_id': ruleId,
    'd.channel': channel,
    'd.recipient': recipient,
    'd.message_id': messageId,
  };
}

/** A message as people see it afterwards. */
export type DeliveryRow = {
  message_id: string;
  recipient: string;
  kinds: string[];
  /** What each notification is about: a destination, a worker or a key, with the number of associations. */
  about: (string | null)[];
  held: boolean;
  queued_at: Date;
  attempts: number;
  due_at: Date | null;
  tried_at: Date | null;
  delivered_at: Date | null;
  error: string | null;
  detail: string | null;
};

const ABOUT = `CASE
  WHEN n.data -> 'destination' IS NOT NULL THEN concat_ws('/', nullif(n.data #>> '{destination,namespace}', ''),
    n.data #>> '{destination,type}', n.data #>> '{destination,name}') || ': ' || (n.data ->> 'total')
    || CASE WHEN (SELECT bool_and(a ->> 'code' = 'rate_limited') FROM jsonb_array_elements(n.data -> 'associations') a)
      THEN ' rate limited' ELSE '' END
  WHEN n.data -> 'workers' IS NOT NULL THEN (SELECT string_agg(w ->> 'name', ', ') FROM jsonb_array_elements(n.data -> 'workers') w)
  ELSE n.data ->> 'key' END`;

// An index finds the rows of null only by IS NULL.
const latest = (isOfRule: string): string => `
SELECT CASE WHEN held THEN 'held' ELSE message_id END AS message_id, recipient, array_agg(n.kind ORDER BY d.id) AS kinds,
  array_agg(${ABOUT} ORDER BY d.id) AS about,
  held, max(queued_at) AS queued_at, max(attempts) AS attempts, max(due_at) AS due_at, max(tried_at) AS tried_at,
  max(delivered_at) AS delivered_at, max(error) AS error, max(detail) AS detail
FROM (SELECT * FROM alert_deliveries WHERE ${isOfRule} ORDER BY id DESC LIMIT :rows) d
JOIN notifications n ON n.id = d.notification_id
GROUP BY 1, recipient, held
ORDER BY max(d.id) DESC LIMIT :limit`;

// A message has several rows at most after quiet hours.
const MOST_ROWS = 2000;

/** The newest messages of a rule, newest first; all that is held for one recipient is one message. */
export async function listMessages(
  db: Database,
  ruleId: number | null,
  { limit }: { limit: number },
): Promise<DeliveryRow[]> {
  const given = { rows: MOST_ROWS, limit };
  const answer: { rows: DeliveryRow[] } =
    ruleId === null
      ? await db.raw(latest('rule_id IS NULL'), given)
      : await db.raw(latest('rule_id = :rule'), { ...given, rule: ruleId });
  return answer.rows;
}

/** How a rule does, from its last messages: when one was delivered, what is wrong with a recipient, how many wait. */
export type RuleHealth = { ruleId: number; lastDelivered: Date | null; failing: string | null; held: number };

// A test may try something else than what is stored, so it says nothing of the rule.
const isReal = (delivery: string): string =>
  `NOT EXISTS (SELECT 1 FROM notifications n WHERE n.id = ${delivery}.notification_id AND n.kind = '${TEST}')`;

const HEALTH = `
SELECT r.id AS "ruleId",
  (SELECT max(delivered_at) FROM alert_deliveries d WHERE d.rule_id = r.id AND d.id >= l.first AND ${isReal('d')}) AS "lastDelivered",
  (SELECT coalesce(d.detail, d.error) FROM alert_deliveries d
    WHERE d.rule_id = r.id AND d.id >= l.first AND d.tried_at IS NOT NULL AND d.delivered_at IS NULL AND ${isReal('d')}
      AND NOT EXISTS (
        SELECT 1 FROM alert_deliveries o
        WHERE o.rule_id = r.id AND o.id >= l.first AND o.channel = d.channel AND o.recipient = d.recipient
          AND o.delivered_at >= d.tried_at AND ${isReal('o')})
    ORDER BY d.tried_at DESC, d.id DESC LIMIT 1) AS failing,
  (SELECT count(*) FROM alert_deliveries d WHERE d.rule_id = r.id AND d.held) AS held
FROM unnest(CAST(? AS bigint[])) AS r (id)
CROSS JOIN LATERAL (
  SELECT coalesce(min(id), 0) AS first
  FROM (SELECT id FROM alert_deliveries d WHERE d.rule_id = r.id ORDER BY id DESC LIMIT 100) n
) l`;

/** How each of these rules does. */
export async function readRuleHealth(db: Database, ruleIds: number[]): Promise<RuleHealth[]> {
  const { rows } = await db.raw<{ rows: RuleHealth[] }>(HEALTH, [ruleIds]);
  return rows;
}
