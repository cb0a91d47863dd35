import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { StoredCause } from './records.ts';
import type { Trigger } from '../due/trigger.ts';

/** One recorded attempt at one entry; `at` is RFC 3339 in UTC. */
export type HistoryLine = {
  id: number;
  at: string;
  sub_key: string;
  /** The entry it is about; null if it is about none, or was written before names were kept. */
  external_name: string | null;
  action: string;
  source_version: number | null;
  /** Who wrote that version; null if the version is gone. */
  version_by: string | null;
  outcome: string;
  cause: StoredCause | null;
  duration_ms: number;
  trigger: Trigger | null;
};

/**
 * Attempts at an association, newest first; `before` is the id of the last one seen. They stay after the association is
 * gone.
 */
export async function listHistory(
  db: Database,
  key: { destinationId: number; mountId: number; secretPath: string },
  page: { before?: number | undefined; limit: number },
): Promise<HistoryLine[]> {
  return prepared(
    db,
    `SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, sub_key, external_name, action,
       source_version, outcome, cause, duration_ms, trigger, (
         SELECT v.created_by FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
         WHERE s.mount_id = h.mount_id AND s.path = h.secret_path AND v.version = h.source_version
       ) AS version_by
     FROM sync_history h
     WHERE destination_id = ? AND mount_id = ? AND secret_path = ? AND id < coalesce(?::bigint, 9223372036854775807)
     ORDER BY id DESC LIMIT ?`,
    [key.destinationId, key.mountId, key.secretPath, page.before ?? null, page.limit],
  );
}
