import { randomId } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';

/** How long the installation keeps old data; `id` begins with `drp-`. */
export type RetentionPolicy = { id: string; delete_older_than_days: number };

// Otherwise somebody with the right to set the policy could remove the entries of what they have just done.
const LEAST_AUDIT_DAYS = 7;

/** How many days audit entries are kept under a policy of so many days. */
export function auditDaysOf(days: number): number {
  return Math.max(days, LEAST_AUDIT_DAYS);
}

/** How many days old data are kept; 0: for ever. */
export type KeptDays = { audit: number; history: number; deletedVersions: number };

/** What a policy keeps, or without one the configuration: deleted versions stay then. */
export function keptDaysOf(
  policy: RetentionPolicy | undefined,
  unset: { AUDIT_RETENTION_DAYS: number; HISTORY_RETENTION_DAYS: number },
): KeptDays {
  if (!policy)
    return { audit: unset.AUDIT_RETENTION_DAYS, history: unset.HISTORY_RETENTION_DAYS, deletedVersions: 0 };
  const days = policy.delete_older_than_days;
  return { audit: auditDaysOf(days), history: days, deletedVersions: days };
}

/** Undefined if none is set: the configuration counts. */
export async function findRetentionPolicy(db: Database): Promise<RetentionPolicy | undefined> {
  return db<RetentionPolicy>('retention_policy').first('id', 'delete_older_than_days');
}

/** Sets the policy; an existing one keeps its id. `created`: there was none before; `former`: its days. */
export async function storeRetentionPolicy(
  db: Database,
  days: number,
): Promise<{ policy: RetentionPolicy; created: boolean; former: number | null }> {
  type Row = RetentionPolicy & { created: boolean; former: number | null };
  const { rows } = await db.raw<{ rows: Row[] }>(
    `WITH before AS (SELECT delete_older_than_days AS days FROM retention_policy)
     INSERT INTO retention_policy (id, delete_older_than_days) VALUES (?, ?)
     ON CONFLICT (only_one) DO UPDATE
       SET delete_older_than_days = excluded.delete_older_than_days, updated_at = now()
     RETURNING id, delete_older_than_days, xmax = 0 AS created, (SELECT days FROM before) AS former`,
    [`drp-${randomId(16)}`, days],
  );
  if (!rows[0]) throw new Error('a retention policy was neither created nor changed');
  const { created, former, ...policy } = rows[0];
  return { policy, created, former };
}

/** Returns the days of the deleted policy; null if there was none. */
export async function deleteRetentionPolicy(db: Database): Promise<number | null> {
  const rows: { days: number }[] = await db('retention_policy')
    .delete()
    .returning('delete_older_than_days AS days');
  return rows[0]?.days ?? null;
}
