import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

// Limits a search to about 50 ms, since any token holder may search. Rows are read in index order.
const MOST_READ = 50_000;

/** A secret of a mount, in the order of which a search goes on. */
export type SearchedSecret = { mountId: number; accessor: string; mount: string; path: string };

type Place = { mountId: number; secretPath: string };

/**
 * Secrets of a namespace whose mount and path contain a text, `limit` at most and of a part of all; `last`: the one to go on
 * after, null where all were looked at.
 */
export async function searchSecrets(
  db: Database,
  namespaceId: string,
  { text, after, limit }: { text: string; after?: Place | undefined; limit: number },
): Promise<{ secrets: SearchedSecret[]; last: SearchedSecret | null }> {
  const [found] = await prepared<{ secrets: SearchedSecret[]; read: number; end: SearchedSecret | null }>(
    db,
    `WITH looked AS MATERIALIZED (
       SELECT m.id AS "mountId", m.accessor, m.path AS mount, s.path FROM mounts m CROSS JOIN LATERAL (
         SELECT path FROM secrets WHERE mount_id = m.id AND path > CASE WHEN m.id = ?::bigint THEN ? ELSE '' END
         ORDER BY path LIMIT ${MOST_READ}
       ) s WHERE m.namespace_id = ? AND m.id >= ?::bigint ORDER BY m.id, s.path LIMIT ${MOST_READ}
     ), found AS (
       SELECT * FROM looked WHERE strpos(lower(mount || '/' || path), lower(?)) > 0
       ORDER BY "mountId", path LIMIT ?
     )
     SELECT (SELECT count(*)::int FROM looked) AS read,
       (SELECT to_json(l) FROM looked l ORDER BY "mountId" DESC, path DESC LIMIT 1) AS end,
       coalesce((SELECT json_agg(found ORDER BY "mountId", path) FROM found), '[]') AS secrets`,
    [after?.mountId ?? 0, after?.secretPath ?? '', namespaceId, after?.mountId ?? 0, text, limit],
  );
  const { secrets = [], read = 0, end = null } = found ?? {};
  // What comes after the last of a full page was not told.
  if (secrets.length === limit) return { secrets, last: secrets.at(-1) ?? null };
  return { secrets, last: read < MOST_READ ? null : end };
}
