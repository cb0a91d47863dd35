import type { Database } from '../db/connect.ts';
import { revokeLease, triggerAssociation } from './triggers.ts';

/** An association whose external entries are to be looked at. */
export type DriftCheck = { associationId: number; destinationId: number; type: string };

/**
 * Associations of destinations that ask for a drift check and were not looked at since `before`, the longest unseen first
 * and at most `limit` of each destination. One that is being changed has nothing to compare with, so it is left out.
 */
export async function findDriftChecks(
  db: Database,
  options: { before: Date; limit: number },
): Promise<DriftCheck[]> {
  const { rows } = await db.raw<{ rows: DriftCheck[] }>(
    `SELECT due.id AS "associationId", d.id AS "destinationId", d.type
     FROM destinations d CROSS JOIN LATERAL (
       SELECT a.id FROM associations a
       WHERE a.destination_id = d.id AND NOT a.removing AND a.lease_token IS NULL
         AND a.generation = a.synced_generation
         AND (a.drift_checked_at IS NULL OR a.drift_checked_at < ?)
       ORDER BY a.drift_checked_at NULLS FIRST, a.id LIMIT ?
     ) due
     WHERE d.drift_check AND d.purge_initiated_at IS NULL`,
    [options.before, options.limit],
  );
  return rows;
}

/** Remembers that an association was looked at. */
export async function noteDriftCheck(db: Database, associationId: number, at: Date): Promise<void> {
  await db('associations').where({ id: associationId }).update({ drift_checked_at: at });
}

/** What is out there is not what was written: the entries are no longer taken as such, and the association is due. */
export async function distrustEntries(
  transaction: Database,
  associationId: number,
  entries: { subKey: string; externalName: string }[],
): Promise<number> {
  const count: number = await transaction('entries')
    .where({ association_id: associationId })
    .whereIn(
      ['sub_key', 'external_name'],
      entries.map(({ subKey, externalName }) => [subKey, externalName]),
    )
    .update({ value_print: null });
  if (count > 0) {
    await triggerAssociation(transaction, associationId);
    await revokeLease(transaction, associationId);
  }
  return count;
}
