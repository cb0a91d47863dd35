import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { isLive } from '../live-version.ts';

// Locks the mount too: a secret of a mount that was deleted meanwhile does not count.
const HOLD = `
SELECT s.id FROM secrets s JOIN mounts m ON m.id = s.mount_id
WHERE s.mount_id = ? AND s.path = ? AND m.namespace_id IS NOT NULL FOR SHARE OF s FOR KEY SHARE OF m`;

/** The highest live version of a secret, sealed. */
export type LiveVersion = { secret_id: number; version: number; sealed: Buffer; isNewest: boolean };

/**
 * The live version of a secret; undefined if it has none. With `hold`, no change of the secret commits before this
 * transaction does. So either the change sees the new association, or the association sees the change.
 */
export async function findLiveVersion(
  db: Database,
  secret: { mountId: number; path: string },
  { hold = false } = {},
): Promise<LiveVersion | undefined> {
  const key = [secret.mountId, secret.path];
  if (hold && (await prepared(db, HOLD, key)).length === 0) return undefined;
  const [live] = await prepared<LiveVersion>(
    db,
    `SELECT v.secret_id, v.version, v.sealed, v.version = s.current_version AS "isNewest"
     FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
     WHERE s.mount_id = ? AND s.path = ? AND ${isLive('clock_timestamp()')}
     ORDER BY v.version DESC LIMIT 1`,
    key,
  );
  return live;
}
