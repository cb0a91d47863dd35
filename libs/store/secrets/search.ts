import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

// Limits a search to about 50 ms, since any token holder may search. Rows are read in index order.
const MOST_READ = 50_000;

/** Searches go through secrets in order of their mount's id and their path. */
export type SearchPosition = { mountId: number; path: string };

export type SearchedSecret = SearchPosition & { mount: string };

/**
 * Finds up to `limit` secrets of a namespace whose mount and path contain a text, among the next 50,000. `last`: the position
 * after which to continue; null if the search has reached the end.
 */
export async function searchSecrets(
  db: Database,
  namespaceId: string,
  { text, after, limit }: { text: string; after?: SearchPosition | undefined; limit: number },
): Promise<{ secrets: SearchedSecret[]; last: SearchPosition | null }> {
  const [found] = await prepared<{ secrets: SearchedSecret[]; read: number; end: SearchPosition | null }>(
    db,
    `WITH looked AS MATERIALIZED (
       SELECT m.id AS "mountId", m.path AS mount, s.path FROM mounts m CROSS JOIN LATERAL (
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
    [after?.mountId ?? 0, after?.path ?? '', namespaceId, after?.mountId ?? 0, text, limit],
  );
  const { secrets = [], read = 0, end = null } = found ?? {};
  // After a full page there may be more among those that were read.
  if (secrets.length === limit) return { secrets, last: secrets.at(-1) ?? null };
  return { secrets, last: read < MOST_READ ? null : end };
}
