import type { Database } from '../../db/connect.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import { MAY_BE_SYNCED } from '../live-version.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { STANDING_DECISION, type StandingDecision } from '../due/standing.ts';
import {
  causeSql,
  ENTRY_STATUS,
  lastFailureSql,
  nextAttemptSql,
  rfcTime as time,
  settledOrHeld,
  STATE,
  statusSql,
  UNCONFIRMED_DEED,
} from './status.ts';
import { WAITING, type Waiting } from './waiting.ts';

export type StoredCause = { class: string; code: string; message: string };

/** A known change in the store; `foreign`: the entry there is no longer ours. */
export type StoredDrift = StoredCause & { foreign?: true };

/** Why the last attempt failed, while the next one is due or runs, and since when attempts fail. */
export type LastFailure = StoredCause & { since: string };

/** One entry with its status. Times are RFC 3339 in UTC with microseconds, here and below. */
export type EntryRecord = {
  subKey: string;
  externalName: string;
  status: string;
  /** Why the status is what it is; null for a status that needs no reason. */
  cause: StoredCause | null;
  lastFailure: LastFailure | null;
  nextAttemptAt: string | null;
  /** What was done, and is done once more when no older call can take effect any more. Absent without an entry. */
  unconfirmed?: 'write' | 'delete' | null;
  /** The last attempt at this entry failed. */
  hasFailed: boolean;
  /** A call that was given up may have changed or deleted it. */
  inDoubt: boolean;
  /** Since when the store lacks a saved version, or has something else than was written; null: not known to. */
  outOfSyncSince: string | null;
  /** We have written it, as far as is known, and nobody has deleted it. */
  isPresent: boolean;
  syncedVersion: number | null;
  updatedAt: string;
  /**
   * The external change that was found, since when, and the fingerprints of both values in hex; null if no drift is
   * known.
   */
  drift: (StoredDrift & { since: string; written: string | null; found: string | null }) | null;
};

/**
 * An association with the status of each of its entries. Without a row in the ledger it has one entry without a name:
 * nothing was planned yet, or nothing is in the store. For a live version that has no keys, that is in sync.
 */
export type AssociationRecord = {
  id: number;
  attempts: number;
  mount_id: number;
  mount: string;
  accessor: string;
  secret_path: string;
  type: string;
  destination: string;
  /** Its own template for names; null: that of the destination applies. */
  template: string | null;
  updated_at: string;
  source_version: number | null;
  /** Someone has unlinked the secret, and its entries are still to be deleted. */
  removing: boolean;
  /** A worker has it now. */
  leased: boolean;
  /** What is carried out once a pause ends; null: nothing waits for that. */
  waiting: Waiting | null;
  decision: StandingDecision | null;
  entries: EntryRecord[];
};

// The status of an entry, and of an association without one, as JSON.
// OFFSET keeps Postgres from repeating the whole expression at each use of the status, which costs time to plan.
const statusJson = (
  settled: string,
  { cause, drift, since }: Record<'cause' | 'drift' | 'since', string>,
): { from: string; json: string } => ({
  from: `CROSS JOIN LATERAL (SELECT ${statusSql({ cause, isDrifted: `${drift} IS NOT NULL`, settled })} AS status OFFSET 0) t`,
  json: `'status', t.status, 'cause', ${causeSql({ status: 't.status', cause, drift })},
    'lastFailure', ${lastFailureSql({ status: 't.status', cause, since })},
    'nextAttemptAt', ${time(nextAttemptSql('t.status'))}`,
});

// When the version that the entry has was deleted.
const DELETED_SINCE = `(
    SELECT w.deletion_time FROM secrets s JOIN secret_versions w ON w.secret_id = s.id
    WHERE s.mount_id = a.mount_id AND s.path = a.secret_path AND w.version = e.synced_version AND w.deletion_time <= now())`;

// When the first version was saved that the entry lacks, however often that was put off. A version that was restored, or one
// before a deleted one, is older than that.
const LACKING_SINCE = `CASE WHEN a.trigger -> 'change' IS NOT NULL THEN ${DELETED_SINCE}
  WHEN v.version > e.synced_version
  THEN (SELECT min(w.created_at) FROM secret_versions w WHERE w.secret_id = v.secret_id AND w.version > e.synced_version)
  WHEN a.trigger ->> 'cause' = 'write' AND e.synced_version IS NULL AND v.version IS NOT NULL THEN v.created_at END`;

// What is only written once more, to be certain, is there.
const OUT_OF_SYNC_SINCE = `CASE WHEN NOT s.removing AND t.status NOT IN ('SYNCED', 'UNSYNCED') AND ${UNCONFIRMED_DEED} IS NULL
  THEN least(e.drift_since, ${LACKING_SINCE}) END`;

// A call that was given up may have written or deleted it.
const IN_DOUBT = 'e.owned AND e.value_fingerprint IS NULL AND e.uncertain_at IS NOT NULL AND e.drift IS NULL';

const FAILING_SINCE = 'coalesce(a.failing_since, e.failing_since)';
const CAUSE = 'coalesce(a.failure, e.cause)';

// Something else may have kept it out of sync before the rate limit did: a pause, or whoever changed it in the store.
const OF_ENTRY = statusJson(settledOrHeld(ENTRY_STATUS), {
  cause: CAUSE,
  drift: 'e.drift',
  since: `coalesce(CASE WHEN ${CAUSE} ->> 'code' <> 'rate_limited' THEN ${FAILING_SINCE} ELSE least(${FAILING_SINCE}, e.drift_since, ${LACKING_SINCE}) END, a.updated_at)`,
});
const WITHOUT_ENTRY = statusJson(`CASE WHEN v.version IS NULL THEN 'UNSYNCED' ELSE 'SYNCED' END`, {
  cause: 'a.failure',
  drift: 'NULL::jsonb',
  since: 'coalesce(a.failing_since, a.updated_at)',
});

const recordsOf = (associations: string): string => `
SELECT a.id, a.attempts, a.mount_id, m.path AS mount, m.accessor, a.secret_path, d.type, d.name AS destination,
  a.secret_name_template AS template,
  ${time('a.updated_at')} AS updated_at, v.version AS source_version, a.removing, s.leased,
  ${WAITING} AS waiting, ${STANDING_DECISION} AS decision,
  coalesce(e.entries, (
    SELECT jsonb_build_array(jsonb_build_object('subKey', '', 'externalName', '', ${WITHOUT_ENTRY.json}, 'hasFailed', false,
      'inDoubt', false, 'outOfSyncSince', NULL, 'isPresent', false, 'syncedVersion', CASE WHEN NOT s.behind THEN v.version END, 'updatedAt', ${time('a.updated_at')}, 'drift', NULL))
    FROM (SELECT 1) one ${WITHOUT_ENTRY.from}
  )) AS entries
FROM ${associations} a
JOIN destinations d ON d.id = a.destination_id AND ${NOT_DELETED}
JOIN mounts m ON m.id = a.mount_id
${STATE}
LEFT JOIN LATERAL (
  SELECT v.version, v.secret_id, v.created_at FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
  WHERE s.mount_id = a.mount_id AND s.path = a.secret_path AND ${MAY_BE_SYNCED}
  ORDER BY v.version DESC LIMIT 1
) v ON true
LEFT JOIN LATERAL (
  SELECT jsonb_agg(jsonb_build_object(
    'subKey', e.sub_key, 'externalName', e.external_name, ${OF_ENTRY.json}, 'unconfirmed', ${UNCONFIRMED_DEED}, 'inDoubt', ${IN_DOUBT}, 'outOfSyncSince', ${time(OUT_OF_SYNC_SINCE)}, 'hasFailed', e.cause IS NOT NULL,
    'isPresent', e.owned AND e.drift ->> 'code' IS DISTINCT FROM 'gone_outside',
    'syncedVersion', e.synced_version, 'updatedAt', ${time('e.updated_at')},
    'drift', e.drift || jsonb_build_object('since', ${time('e.drift_since')},
      'written', encode(e.value_fingerprint, 'hex'), 'found', encode(e.drift_fingerprint, 'hex'))
  ) ORDER BY e.sub_key, e.id) AS entries
  FROM entries e ${OF_ENTRY.from} WHERE e.association_id = a.id
) e ON true`;

const RECORDS = recordsOf('associations');

/** The last association before a page of a destination's associations. */
export type PageStart = { mountId: number; secretPath: string };

/** The id of a mount by its accessor; page cursors name mounts by accessor. */
export async function findMountByAccessor(
  db: Database,
  namespaceId: string,
  accessor: string,
): Promise<number | undefined> {
  const [row] = await prepared<{ id: number }>(
    db,
    'SELECT id FROM mounts WHERE namespace_id = ? AND accessor = ?',
    [namespaceId, accessor],
  );
  return row?.id;
}

const COLUMNS = `a.id, a.generation, a.synced_generation, a.removing, a.attempts, a.failure, a.failing_since, a.mount_id, a.secret_path,
  a.destination_id, a.lease_token, a.due_at, a.updated_at, a.secret_name_template, a.trigger`;

// The limit is a literal around the page alone, so that Postgres can keep one plan. It knows nothing of a limit that is a
// parameter, and would plan at each call. Scalar subqueries hide where the page begins: Postgres would guess wrongly from
// it.
const RECORDS_PAGE = 500;
const LIMITS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** All associations of a destination, ordered by mount and secret, in pages. */
export async function* recordPages(
  db: Database,
  destinationId: number,
  start: PageStart | undefined,
): AsyncGenerator<AssociationRecord[], void> {
  let after = start;
  for (;;) {
    const records = await listRecords(db, destinationId, { after, limit: RECORDS_PAGE });
    if (records.length > 0) yield records;
    const last = records.at(-1);
    if (!last || records.length < RECORDS_PAGE) return;
    after = { mountId: last.mount_id, secretPath: last.secret_path };
  }
}

/** The first associations of a destination after another one, ordered by mount and secret. */
export async function listRecords(
  db: Database,
  destinationId: number,
  { after, limit }: { after?: PageStart | undefined; limit: number },
): Promise<AssociationRecord[]> {
  const records = await prepared<AssociationRecord>(
    db,
    `${recordsOf(`(
       SELECT ${COLUMNS} FROM association_keys k JOIN associations a ON a.id = k.association_id
       WHERE k.destination_id = ? ${after ? 'AND (k.mount_id, k.secret_path) > ((SELECT ?::bigint), (SELECT ?::text))' : ''}
       ORDER BY k.mount_id, k.secret_path LIMIT ${LIMITS.find((size) => size >= limit) ?? limit}
     )`)} ORDER BY a.mount_id, a.secret_path`,
    [destinationId, ...(after ? [after.mountId, after.secretPath] : [])],
  );
  return limit < records.length ? records.slice(0, limit) : records;
}

/** One association; undefined if it is gone. */
export async function findRecord(db: Database, id: number): Promise<AssociationRecord | undefined> {
  const [record] = await prepared<AssociationRecord>(db, `${RECORDS} WHERE a.id = ?`, [id]);
  return record;
}

/** The same for calls outside of transactions: concurrent calls share a statement. */
export const lookUpRecord = createLookup<{ id: number }, AssociationRecord>(
  { id: 'bigint' },
  `${RECORDS} WHERE a.id = key.id`,
);

/** All associations of a secret, ordered by type and name of the destination. */
export async function findRecordsOfSecret(
  db: Database,
  secret: { mountId: number; path: string },
): Promise<AssociationRecord[]> {
  const { rows } = await db.raw<{ rows: AssociationRecord[] }>(
    `${RECORDS} JOIN association_keys k ON k.association_id = a.id
     WHERE k.mount_id = ? AND k.secret_path = ? ORDER BY d.type, d.name`,
    [secret.mountId, secret.path],
  );
  return rows;
}
