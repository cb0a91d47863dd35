import type { Database } from '../../db/connect.ts';
import { logInPath, type AuthMount } from './mounts.ts';

// Limits the count to about 50 ms.
const MOST_COUNTED = 100_000;

/** What hangs on an auth method; `tokens`: of its log-ins. `is_complete`: false if there are more than were counted. */
export type AuthUsage = { roles: number; secret_ids: number; tokens: number; is_complete: boolean };

/** Counts what is lost with an auth method. */
export async function countAuthUses(db: Database, mount: AuthMount): Promise<AuthUsage> {
  const some = `LIMIT ${MOST_COUNTED + 1}`;
  const { rows } = await db.raw<{ rows: Omit<AuthUsage, 'is_complete'>[] }>(
    `SELECT
       (SELECT count(*)::int FROM (SELECT FROM auth_roles WHERE mount_id = :id ${some}) r) AS roles,
       (SELECT count(*)::int FROM (SELECT FROM secret_ids WHERE mount_id = :id ${some}) s) AS secret_ids,
       (SELECT count(*)::int FROM (
          SELECT FROM tokens WHERE namespace_id = :namespace_id AND path = :path AND (expires_at IS NULL OR expires_at > now())
          ${some}) t) AS tokens`,
    { id: mount.id, namespace_id: mount.namespace_id, path: logInPath(mount) },
  );
  const { roles = 0, secret_ids = 0, tokens = 0 } = rows[0] ?? {};
  const most = (count: number): number => Math.min(count, MOST_COUNTED);
  return {
    roles: most(roles),
    secret_ids: most(secret_ids),
    tokens: most(tokens),
    is_complete: Math.max(roles, secret_ids, tokens) <= MOST_COUNTED,
  };
}
