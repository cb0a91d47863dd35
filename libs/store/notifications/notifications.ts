import type { Database } from '../../db/connect.ts';

/** An event that operators are notified of; `data` holds names, codes and counts, never a value. */
export type Notification = { id: string; kind: string; happenedAt: Date; data: Record<string, unknown> };

/** The destination of a notification; `recipient` is an email address, or empty for the webhook. */
export type Channel = { channel: 'webhook' | 'email'; recipient: string };

/** One notification on its way to one recipient. */
export type Delivery = Channel & { id: number; attempts: number; notification: Notification };

/** The result of a try: `dueAt` is the time of the next try, null if there is none; `error` is a code. */
export type DeliveryEnd = { id: number; deliveredAt: Date | null; dueAt: Date | null; error: string | null };

/**
 * Stores notifications with a delivery for each channel, all due at once. Call it in the transaction that found the
 * events.
 */
export async function insertNotifications(
  transaction: Database,
  notifications: Notification[],
  channels: Channel[],
): Promise<void> {
  if (notifications.length === 0) return;
  await transaction('notifications').insert(
    notifications.map(({ id, kind, happenedAt, data }) => ({
      id,
      kind,
      happened_at: happenedAt,
      data: JSON.stringify(data),
    })),
  );
  const deliveries = notifications.flatMap(({ id, happenedAt }) =>
    channels.map((one) => ({ notification_id: id, ...one, due_at: happenedAt })),
  );
  if (deliveries.length > 0) await transaction('notification_deliveries').insert(deliveries);
}

type Row = Channel & {
  id: number;
  attempts: number;
  notification_id: string;
  kind: string;
  happened_at: Date;
  data: Record<string, unknown>;
};

/** Due deliveries, oldest first. */
export async function findDueDeliveries(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<Delivery[]> {
  const rows = await db('notification_deliveries as d')
    .join('notifications as n', 'n.id', 'd.notification_id')
    .where('d.due_at', '<=', now)
    .orderBy(['d.due_at', 'd.id'])
    .limit(limit)
    .select<Row[]>(
      'd.id',
      'd.channel',
      'd.recipient',
      'd.attempts',
      'd.notification_id',
      'n.kind',
      'n.happened_at',
      'n.data',
    );
  return rows.map(({ id, channel, recipient, attempts, notification_id, kind, happened_at, data }) => ({
    id,
    channel,
    recipient,
    attempts,
    notification: { id: notification_id, kind, happenedAt: happened_at, data },
  }));
}

/** Records the result of a try. */
export async function storeDelivery(transaction: Database, end: DeliveryEnd): Promise<void> {
  await transaction('notification_deliveries')
    .where({ id: end.id })
    .update({
      attempts: transaction.raw('attempts + 1'),
      due_at: end.dueAt,
      delivered_at: end.deliveredAt,
      error: end.error,
    });
}

/** Deletes at most `limit` notifications from before a time, with their deliveries. Returns their number. */
export async function deleteNotifications(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const old = transaction('notifications').where('happened_at', '<', before).limit(limit).select('id');
  return transaction('notifications').whereIn('id', old).delete();
}

/** The value last stored under a name; undefined the first time. Other readers wait for the end of the transaction. */
export async function readSeen<Value>(transaction: Database, name: string): Promise<Value | undefined> {
  const row: { value: Value } | undefined = await transaction('notify_state')
    .where({ name })
    .forUpdate()
    .first('value');
  return row?.value;
}

/** Stores a value under a name. */
export async function storeSeen(transaction: Database, name: string, value: unknown): Promise<void> {
  await transaction('notify_state')
    .insert({ name, value: JSON.stringify(value) })
    .onConflict('name')
    .merge();
}

/** Signing keys that were added after the given one; `id` counts up. */
export async function findKeysAfter(db: Database, id: number): Promise<{ id: number; kid: string }[]> {
  return db('oidc_keys').where('id', '>', id).orderBy('id').select('id', 'kid');
}
