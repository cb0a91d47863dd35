import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

// Limits a search to about 50 ms, since any token holder may search. Rows are read in index order.
const MOST_READ = 50_000;

/** Secrets of a namespace whose mount and path contain a text; `isComplete`: there are no others. */
export async function searchSecrets(
  db: Database,
  namespaceId: string,
  { text, limit }: { text: string; limit: number },
): Promise<{ secrets: { mount: string; path: string }[]; isComplete: boolean }> {
  const [found] = await prepared<{ secrets: { mount: string; path: string }[]; read: number }>(
    db,
    `WITH looked AS MATERIALIZED (
       SELECT m.path AS mount, s.path FROM mounts m CROSS JOIN LATERAL (
         SELECT path FROM secrets WHERE mount_id = m.id ORDER BY path LIMIT ${MOST_READ}
       ) s WHERE m.namespace_id = ? LIMIT ${MOST_READ}
     ), found AS (
       SELECT mount, path FROM looked WHERE strpos(lower(mount || '/' || path), lower(?)) > 0 LIMIT ?
     )
     SELECT (SELECT count(*)::int FROM looked) AS read,
       coalesce((SELECT json_agg(found ORDER BY mount, path) FROM found), '[]') AS secrets`,
    [namespaceId, text, limit],
  );
  const { secrets = [], read = 0 } = found ?? {};
  return { secrets, isComplete: read < MOST_READ && secrets.length < limit };
}
