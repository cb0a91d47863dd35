import type { Database } from '../../db/connect.ts';

/** An event that operators are notified of; `data` holds names, codes and counts, never a value. */
export type Notification = { id: string; kind: string; happenedAt: Date; data: Record<string, unknown> };

/** The destination of a notification; `recipient` is an email address, or empty for the webhook. */
export type Channel = { channel: 'webhook' | 'email'; recipient: string };

/** Stores notifications. Call it in the transaction that found the events, and that stores their deliveries. */
export async function insertNotifications(
  transaction: Database,
  notifications: Notification[],
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
