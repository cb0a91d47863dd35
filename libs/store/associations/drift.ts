import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import type { StoredDrift } from './records.ts';
import { revokeLease, triggerDrifted } from './triggers.ts';

/** A destination whose associations are checked for drift. */
export type DriftDestination = { id: number; type: string };

// SQL: the associations `k` that were not checked between two times, as ranges that an index serves. A time in the future
// comes from a clock that was set back since.
const UNCHECKED = ['IS NULL', '< :before', '> :now'].map((range) => `k.drift_checked_at ${range}`);

/**
 * Destinations with drift checks turned on that have associations not checked between `before` and `now`. The one whose
 * last check is oldest comes first.
 */
export async function findDriftDestinations(
  db: Database,
  options: { before: Date; now: Date },
): Promise<DriftDestination[]> {
  const some = UNCHECKED.map(
    (range) => `EXISTS (SELECT 1 FROM association_keys k WHERE k.destination_id = d.id AND ${range})`,
  );
  const { rows } = await db.raw<{ rows: DriftDestination[] }>(
    `SELECT d.id, d.type FROM destinations d
     WHERE d.drift_check AND d.purge_initiated_at IS NULL AND d.rollout_after IS NULL AND ${NOT_DELETED}
       AND (${some.join(' OR ')})
     ORDER BY (
       SELECT k.drift_checked_at FROM association_keys k
       WHERE k.destination_id = d.id AND k.drift_checked_at IS NOT NULL ORDER BY k.drift_checked_at DESC LIMIT 1
     ) NULLS FIRST, d.id`,
    options,
  );
  return rows;
}

// A subquery is asked row by row until the limit is reached; a join may read all associations first.
const SETTLED = `SELECT NOT a.removing AND a.lease_token IS NULL AND a.generation = a.synced_generation
        FROM associations a WHERE a.id = k.association_id`;

/**
 * Associations of a destination that were not checked between `before` and `now`, the longest unchecked first. Those with
 * a change under way are left out: there is nothing to compare with.
 */
export async function findDriftChecks(
  db: Database,
  options: { destination: number; before: Date; now: Date; limit: number },
): Promise<number[]> {
  const found = UNCHECKED.map(
    (range) => `(
      SELECT k.association_id, k.drift_checked_at FROM association_keys k
      WHERE k.destination_id = :destination AND ${range} AND (${SETTLED})
      ORDER BY k.drift_checked_at, k.association_id LIMIT :limit
    )`,
  );
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `SELECT association_id AS id FROM (${found.join(' UNION ALL ')}) unchecked
     ORDER BY drift_checked_at NULLS FIRST, association_id LIMIT :limit`,
    options,
  );
  return rows.map(({ id }) => id);
}

/** Records that an association was checked. */
export async function noteDriftCheck(db: Database, associationId: number, time: Date): Promise<void> {
  await db('association_keys').where({ association_id: associationId }).update({ drift_checked_at: time });
}

/** The result of a check of one entry; `written` and `writtenAt` are the ledger's values before the store was asked. */
export type DriftFinding = {
  id: number;
  written: string | null;
  writtenAt: Date | null;
  /** Null: the entry is as we wrote it, or as the newest version asks for. */
  drift: StoredDrift | null;
  /** Fingerprint of the external value, in hex; null if it is the one that we wrote, or none is known. */
  found: string | null;
  /** The version that it is the value of; null: the one that we wrote, or none. */
  version: number | null;
};

// What is found for the first time is a line of the history too, and so is its end: an entry forgets its drift.
const KEEP = `
WITH kept AS (
  UPDATE entries e SET drift = nullif(f.drift, 'null'), drift_fingerprint = decode(f.found, 'hex'),
    drift_since = CASE WHEN nullif(f.drift, 'null') IS NOT NULL THEN coalesce(e.drift_since, now()) END,
    synced_version = coalesce(f.version, e.synced_version)
  FROM json_to_recordset(?::json) AS f (
    id bigint, written text, "writtenAt" timestamptz, drift jsonb, found text, version integer)
  JOIN entries old ON old.id = f.id
  WHERE e.id = f.id AND e.association_id = ? AND encode(e.value_fingerprint, 'hex') IS NOT DISTINCT FROM f.written
    AND date_trunc('milliseconds', e.written_at) IS NOT DISTINCT FROM f."writtenAt"
  RETURNING e.association_id, e.sub_key, e.external_name, e.drift, e.synced_version, old.drift AS former
), history AS (
  INSERT INTO sync_history
    (destination_id, mount_id, secret_path, sub_key, external_name, action, source_version, outcome, cause, duration_ms, trigger)
  SELECT k.destination_id, k.mount_id, k.secret_path, kept.sub_key, kept.external_name,
    CASE WHEN kept.drift IS NULL THEN 'recovered' WHEN kept.drift ->> 'code' = 'gone_outside' THEN 'missing' ELSE 'changed' END,
    CASE WHEN kept.drift IS NULL THEN kept.synced_version END,
    CASE WHEN kept.drift IS NULL THEN 'SYNCED' ELSE 'DRIFTED' END, kept.drift - 'foreign', 0,
    '{"cause": "verify", "by": null}'
  FROM kept JOIN association_keys k USING (association_id)
  WHERE (kept.former IS NULL) <> (kept.drift IS NULL) ORDER BY kept.sub_key
)
SELECT sub_key FROM kept WHERE drift ->> 'code' IS DISTINCT FROM former ->> 'code'`;

/**
 * Stores what the check found, or clears what no longer holds. Skips an association that is being pushed, and an entry
 * that was pushed since the store was asked: we may have caused the difference ourselves. An association that waits to be
 * pushed is not skipped, because whoever decides about it must know what would be lost. Returns whether a drift began or
 * ended, so that the incidents of the destination have to be noted.
 */
export async function keepFindings(
  transaction: Database,
  associationId: number,
  findings: DriftFinding[],
): Promise<boolean> {
  // Locks the association before its entries, as the statement that stores results does.
  const idle = await transaction('associations')
    .where({ id: associationId, lease_token: null })
    .forUpdate()
    .first('id');
  if (idle === undefined) return false;
  const { rows } = await transaction.raw<{ rows: unknown[] }>(KEEP, [
    JSON.stringify(findings),
    associationId,
  ]);
  return rows.length > 0;
}

/**
 * The external entries are not what we wrote: forgets their fingerprints, so they are written again, and makes the
 * association due.
 */
export async function invalidateEntries(
  transaction: Database,
  associationId: number,
  entries: { subKey: string; externalName: string }[],
): Promise<number> {
  // Locks the association before its entries, as the statement that stores results does.
  await transaction('associations').where({ id: associationId }).forUpdate().select('id');
  const count: number = await transaction('entries')
    .where({ association_id: associationId })
    .whereIn(
      ['sub_key', 'external_name'],
      entries.map(({ subKey, externalName }) => [subKey, externalName]),
    )
    .update({ value_fingerprint: null });
  if (count > 0) {
    await triggerDrifted(transaction, associationId);
    await revokeLease(transaction, associationId);
  }
  return count;
}

/** What is known to be changed outside of the entries of an association: the code of the drift, by the id of the entry. */
export async function findDrifted(db: Database, associationId: number): Promise<Map<number, string>> {
  const rows = await db('entries')
    .where({ association_id: associationId })
    .whereNotNull('drift')
    .select<{ id: number; code: string }[]>('id', db.raw(`drift ->> 'code' AS code`));
  return new Map(rows.map(({ id, code }) => [id, code]));
}
