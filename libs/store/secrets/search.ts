import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

// Limits a search to about 50 ms, since any token holder may search. Rows are read in index order.
const MOST_READ = 50_000;

/** Searches go through secrets in order of their mount's id and their path. */
export type SearchPosition = { mountId: number; path: string };

/** A secret that was found; `namespaceId` is that of its mount. */
export type SearchedSecret = SearchPosition & { mount: string; namespaceId: string };

/** A folder of a mount, without slashes at its ends; empty: the whole mount. */
export type SearchedFolder = { mount: { id: number; path: string }; folder: string };

// The character after the slash: `a0` sorts after everything in the folder `a/`.
const BEHIND_SLASH = '0';
const GREATEST = '\u{10ffff}';

/**
 * Finds up to `limit` secrets of some namespaces whose mount and path contain a text, among the next 50,000. `last`: the position
 * after which to continue; null if the search has reached the end. `within`: only secrets of this folder, by what their
 * names have beyond it; `like`: a pattern of LIKE for the path.
 */
export async function searchSecrets(
  db: Database,
  namespaceIds: string[],
  {
    text = '',
    like = '%',
    after,
    limit,
    within,
  }: {
    text?: string;
    like?: string;
    after?: SearchPosition | undefined;
    limit: number;
    within?: SearchedFolder | undefined;
  },
): Promise<{ secrets: SearchedSecret[]; last: SearchPosition | null }> {
  const prefix = within?.folder ? `${within.folder}/` : '';
  const until = within?.folder ? `${within.folder}${BEHIND_SLASH}` : GREATEST;
  // One letter for the slash behind the mount.
  const known = within ? within.mount.path.length + 1 + prefix.length : 0;
  const [found] = await prepared<{ secrets: SearchedSecret[]; read: number; end: SearchPosition | null }>(
    db,
    `WITH looked AS MATERIALIZED (
       SELECT m.id AS "mountId", m.namespace_id AS "namespaceId", m.path AS mount, s.path FROM mounts m CROSS JOIN LATERAL (
         SELECT path FROM secrets WHERE mount_id = m.id
           AND path > CASE WHEN m.id = ?::bigint THEN ? ELSE ? END AND path < ?
         ORDER BY path LIMIT ${MOST_READ}
       ) s WHERE m.namespace_id = ANY (?) AND m.id >= ?::bigint AND m.id = coalesce(?::bigint, m.id) ORDER BY m.id, s.path LIMIT ${MOST_READ}
     ), found AS (
       SELECT * FROM looked WHERE strpos(lower(substr(mount || '/' || path, ?::integer + 1)), lower(?)) > 0 AND path LIKE ?
       ORDER BY "mountId", path LIMIT ?
     )
     SELECT (SELECT count(*)::int FROM looked) AS read,
       (SELECT to_json(l) FROM looked l ORDER BY "mountId" DESC, path DESC LIMIT 1) AS end,
       coalesce((SELECT json_agg(found ORDER BY "mountId", path) FROM found), '[]') AS secrets`,
    [
      after?.mountId ?? 0,
      after?.path ?? '',
      prefix,
      until,
      namespaceIds,
      after?.mountId ?? 0,
      within?.mount.id ?? null,
      known,
      text,
      like,
      limit,
    ],
  );
  const { secrets = [], read = 0, end = null } = found ?? {};
  // After a full page there may be more among those that were read.
  if (secrets.length === limit) return { secrets, last: secrets.at(-1) ?? null };
  return { secrets, last: read < MOST_READ ? null : end };
}
