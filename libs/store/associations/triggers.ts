import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { SecretChange } from '../../telling/attempts.ts';
import { NEW_LEASE_TOKEN } from '../lease-token.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { probeEarly } from '../orders/probes.ts';
import { DUE_DECISION, trigger } from '../due/trigger.ts';

type Triggered = DueDestination & { isFailing?: boolean | null };

/** Makes all associations of a secret due. Call it in the transaction that changes the secret. */
export async function triggerSecret(
  transaction: Database,
  secret: { mountId: number; path: string; author: string; change: SecretChange | undefined },
): Promise<void> {
  const rows = await prepared<Triggered>(
    transaction,
    `UPDATE associations a SET ${trigger('write', { by: 'wanted.author', change: 'wanted.change', keptDecision: DUE_DECISION, keeps: 'true' })} FROM association_keys k JOIN destinations d ON d.id = k.destination_id
     CROSS JOIN (SELECT ?::text AS author, ?::jsonb AS change) wanted
     WHERE k.mount_id = ? AND k.secret_path = ? AND a.id = k.association_id AND ${NOT_DELETED}
     RETURNING a.destination_id, d.type, d.probe_at > now() AS "isFailing"`,
    [secret.author, secret.change ? JSON.stringify(secret.change) : null, secret.mountId, secret.path],
  );
  const failing = rows.filter(({ isFailing }) => isFailing).map((row) => row.destination_id);
  if (failing.length > 0) await probeEarly(transaction, failing);
  announceDue(transaction, rows);
}

/** Makes one association due, because its entries were changed outside. */
export async function triggerDrifted(transaction: Database, associationId: number): Promise<void> {
  const { rows } = await transaction.raw<{ rows: DueDestination[] }>(
    `UPDATE associations a SET ${trigger('drift', { keptDecision: DUE_DECISION, keeps: 'true' })} WHERE a.id = ? RETURNING ${DUE_DESTINATION}`,
    [associationId],
  );
  announceDue(transaction, rows);
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
