import type { Database } from '../../db/connect.ts';

/**
 * SQL: the store was seen with something else in an entry `e` than we wrote. It is no drift any more once the newest version
 * asks for that, but as long as nothing was written since, another version may ask for the value before it.
 */
export const IS_SEEN_CHANGED = '(e.drift IS NOT NULL OR e.drift_fingerprint IS NOT NULL)';

/**
 * SQL for a `LedgerEntry` of a row `e`; ages in milliseconds, by the database's clock. An entry that was seen changed shows no
 * fingerprint, so a push writes it again, unless it is left as it is (`leavesDrift`, SQL too).
 */
export const ledgerEntry = (
  leavesDrift = 'false',
): string => `e.id, e.sub_key AS "subKey", e.external_name AS "externalName", e.name_key AS "nameKey", e.owned,
  encode(CASE WHEN NOT ${IS_SEEN_CHANGED} OR ${leavesDrift} THEN e.value_fingerprint END, 'hex') AS "valueFingerprint", e.value_bytes AS "valueBytes", e.written_tags AS "writtenTags",
  CASE WHEN e.drift ->> 'code' = 'changed_outside' THEN coalesce(encode(e.drift_fingerprint, 'hex'), '') END AS "foreignFingerprint",
  (e.drift ->> 'code' = 'gone_outside') IS TRUE AS "isGone",
  e.reference, e.status, e.synced_version AS "syncedVersion",
  (extract(epoch FROM now() - e.written_at) * 1000)::float8 AS "writtenMsAgo",
  (extract(epoch FROM now() - e.uncertain_at) * 1000)::float8 AS "uncertainMsAgo",
  CASE WHEN e.drift -> 'foreign' IS NULL THEN (extract(epoch FROM now() - e.owner_seen_at) * 1000)::float8 END AS "ownerSeenMsAgo"`;

/** The ledger's record of one entry of an association. */
export type LedgerLine = {
  id: number;
  associationId: number;
  destinationId: number;
  subKey: string;
  externalName: string;
  owned: boolean;
  /** Hex; null while a write is unconfirmed. */
  valueFingerprint: string | null;
  reference: string | null;
  writtenAt: Date | null;
  /** Someone has unlinked the secret, so the entry is to be deleted. */
  isLeaving: boolean;
};

/** All entries of an association that hold a name, ordered by key. */
export async function findLedger(db: Database, associationId: number): Promise<LedgerLine[]> {
  return db('entries')
    .where({ association_id: associationId })
    .whereNotNull('name_key')
    .orderBy(['sub_key', 'id'])
    .select<LedgerLine[]>(
      'id',
      'association_id as associationId',
      'destination_id as destinationId',
      'sub_key as subKey',
      'external_name as externalName',
      'owned',
      db.raw('encode(value_fingerprint, \'hex\') AS "valueFingerprint"'),
      'reference',
      'written_at as writtenAt',
      db.raw('(SELECT a.removing FROM associations a WHERE a.id = association_id) AS "isLeaving"'),
    );
}
