import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../destinations/delete.ts';
import type { StoredCause } from './records.ts';
import { revokeLease, triggerAssociation } from './triggers.ts';

/** An association whose external entries are to be looked at. */
export type DriftCheck = { associationId: number; destinationId: number; type: string };

/**
 * Associations of destinations that ask for a drift check and were not looked at between `before` and `now`: destination
 * by destination, first the one whose turn was the longest ago; of each at most `limit`, the longest unseen first. One
 * that is being changed has nothing to compare with, so it is left out.
 */
export async function findDriftChecks(
  db: Database,
  options: { before: Date; now: Date; limit: number },
): Promise<DriftCheck[]> {
  const { rows } = await db.raw<{ rows: DriftCheck[] }>(
    `SELECT due.id AS "associationId", d.id AS "destinationId", d.type
     FROM destinations d CROSS JOIN LATERAL (
       SELECT a.id, a.drift_checked_at FROM association_keys k JOIN associations a ON a.id = k.association_id
       WHERE k.destination_id = d.id AND NOT a.removing AND a.lease_token IS NULL
         AND a.generation = a.synced_generation
         AND (a.drift_checked_at IS NULL OR a.drift_checked_at NOT BETWEEN ? AND ?)
       ORDER BY a.drift_checked_at NULLS FIRST, a.id LIMIT ?
     ) due
     CROSS JOIN LATERAL (
       SELECT max(a.drift_checked_at) AS at FROM association_keys k JOIN associations a ON a.id = k.association_id
       WHERE k.destination_id = d.id
     ) turn
     WHERE d.drift_check AND d.purge_initiated_at IS NULL AND d.rollout_after IS NULL AND ${NOT_DELETED}
     ORDER BY turn.at NULLS FIRST, d.id, due.drift_checked_at NULLS FIRST, due.id`,
    [options.before, options.now, options.limit],
  );
  return rows;
}

/** Remembers that an association had its turn. */
export async function noteDriftCheck(db: Database, associationId: number, at: Date): Promise<void> {
  await db('associations').where({ id: associationId }).update({ drift_checked_at: at });
}

/** What an entry was found to be; `written` and `writtenAt` are what the ledger said before the store was asked. */
export type Finding = {
  id: number;
  written: string | null;
  writtenAt: Date | null;
  /** Null: it is as it was written. */
  drift: StoredCause | null;
  /** Fingerprint of the value that is there, in hex. */
  found: string | null;
};

/**
 * Keeps what was found, or forgets what is no longer so. Nothing of an association that is being pushed, or was since the
 * store was asked: the difference may be of our own making.
 */
export async function keepFindings(
  transaction: Database,
  associationId: number,
  findings: Finding[],
): Promise<void> {
  // Before the entries, as whoever stores a result does.
  const settled = await transaction('associations')
    .where({ id: associationId, lease_token: null })
    .whereRaw('generation = synced_generation')
    .forUpdate()
    .first('id');
  if (settled === undefined) return;
  await transaction.raw(
    `UPDATE entries e SET drift = nullif(f.drift, 'null'), drift_print = decode(f.found, 'hex'),
       drift_since = CASE WHEN nullif(f.drift, 'null') IS NOT NULL THEN coalesce(e.drift_since, now()) END
     FROM json_to_recordset(?::json) AS f (
       id bigint, written text, "writtenAt" timestamptz, drift jsonb, found text)
     WHERE e.id = f.id AND e.association_id = ? AND encode(e.value_print, 'hex') IS NOT DISTINCT FROM f.written
       AND date_trunc('milliseconds', e.written_at) IS NOT DISTINCT FROM f."writtenAt"`,
    [JSON.stringify(findings), associationId],
  );
}

/** What is out there is not what was written: the entries are no longer taken as such, and the association is due. */
export async function invalidateEntries(
  transaction: Database,
  associationId: number,
  entries: { subKey: string; externalName: string }[],
): Promise<number> {
  // Before the entries, as whoever stores a result does.
  await transaction('associations').where({ id: associationId }).forUpdate().select('id');
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
