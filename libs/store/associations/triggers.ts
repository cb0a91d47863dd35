import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { DueWork } from '../../queue/work-notifications.ts';
import { NEW_LEASE_TOKEN } from '../lease-token.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { toDueWork, type DueDestination } from '../orders/due.ts';
import { probeEarly } from '../orders/probes.ts';
import { triggerSql, type TriggerCause } from '../orders/trigger-cause.ts';

/**
 * SQL: the columns that an update of `associations a` sets to make it due. A leased row keeps the end of its lease: the
 * holder sees the newer generation when it stores its result. `by`: SQL for the person.
 */
export const trigger = (cause: TriggerCause, by?: string): string => `
  generation = a.generation + 1,
  trigger = ${triggerSql(cause, 'a.generation + 1', by)},
  attempts = 0,
  due_at = CASE WHEN a.lease_token IS NULL THEN now() ELSE a.due_at END,
  updated_at = now()`;

type Triggered = DueDestination & { isFailing?: boolean | null };

/**
 * Makes all associations of a secret due. Call it in the transaction that changes the secret, and send the returned work
 * notifications after the commit.
 */
export async function triggerSecret(
  transaction: Database,
  secret: { mountId: number; path: string; author: string },
): Promise<DueWork> {
  const rows = await prepared<Triggered>(
    transaction,
    `UPDATE associations a SET ${trigger('write', '?::text')} FROM association_keys k JOIN destinations d ON d.id = k.destination_id
     WHERE k.mount_id = ? AND k.secret_path = ? AND a.id = k.association_id AND ${NOT_DELETED}
     RETURNING a.destination_id, d.type, d.probe_at > now() AS "isFailing"`,
    [secret.author, secret.mountId, secret.path],
  );
  const failing = rows.filter(({ isFailing }) => isFailing).map((row) => row.destination_id);
  if (failing.length > 0) await probeEarly(transaction, failing);
  return toDueWork(rows);
}

/** Makes one association due, because its entries were changed outside. */
export async function triggerDrifted(transaction: Database, associationId: number): Promise<void> {
  await transaction.raw(`UPDATE associations a SET ${trigger('drift')} WHERE a.id = ?`, [associationId]);
}

/**
 * Takes the lease from its holder: the holder can no longer store its result. When the lease ends, no entry counts as
 * confirmed.
 */
export async function revokeLease(transaction: Database, id: number): Promise<void> {
  await transaction('associations')
    .where({ id })
    .whereNotNull('lease_token')
    .update({ lease_token: transaction.raw(NEW_LEASE_TOKEN) });
}
