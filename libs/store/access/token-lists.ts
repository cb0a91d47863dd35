import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { IS_LIVE_SESSION } from './sessions.ts';
import { LIVE_TOKENS, type Token } from './tokens.ts';

const ACCESSORS_PAGE = 1000;

/** What belongs to a token. `created_by`: the display name of its parent; `below` and `sessions` end with it. */
export type TokenSurroundings = {
  id: number;
  created_by: string | null;
  below: number;
  sessions: number;
  missing_policies: string[];
};

const SURROUNDINGS = `
SELECT t.id, parent.display_name AS created_by, line.below, line.sessions,
  ARRAY(
    SELECT held.policy FROM unnest(t.policies) AS held (policy)
    WHERE NOT held.policy = ANY (?::text[])
      AND NOT EXISTS (
        SELECT FROM policies p WHERE p.namespace_id = t.namespace_id AND p.name = held.policy)) AS missing_policies
FROM tokens t LEFT JOIN tokens parent ON parent.id = t.parent_id
CROSS JOIN LATERAL (
  WITH RECURSIVE below AS (
    SELECT t.id
    UNION ALL
    SELECT child.id FROM below JOIN tokens child ON child.parent_id = below.id)
  SELECT (count(DISTINCT below.id) - 1)::int AS below,
    count(s.id) FILTER (WHERE ${IS_LIVE_SESSION})::int AS sessions
  FROM below LEFT JOIN sessions s ON s.token_id = below.id) line
WHERE t.id = ANY (?::bigint[])`;

/** What belongs to each of some tokens. `builtIn`: names of policies that are not stored. */
export async function describeTokens(
  db: Database,
  ids: number[],
  builtIn: string[],
): Promise<Map<number, TokenSurroundings>> {
  const rows = await prepared<TokenSurroundings>(db, SURROUNDINGS, [builtIn, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Accessors of the live tokens of one namespace, sorted, in pages. */
export async function* accessorPages(db: Database, namespaceId: string): AsyncGenerator<string[], void> {
  let last = '';
  for (;;) {
    const rows = await prepared<Token>(
      db,
      `${LIVE_TOKENS} AND t.namespace_id = ? AND t.accessor > ? ORDER BY t.accessor LIMIT ${ACCESSORS_PAGE}`,
      [namespaceId, last],
    );
    if (rows.length > 0) yield rows.map((row) => row.accessor);
    if (rows.length < ACCESSORS_PAGE) return;
    last = rows.at(-1)?.accessor ?? last;
  }
}

/**
 * At most `limit` live tokens of one namespace, newest first, or with `byExpiry` those that stay longest first; they come after
 * the token with the id `before`.
 */
export async function listTokens(
  db: Database,
  namespaceId: string,
  { before, limit, byExpiry = false }: { before: number | null; limit: number; byExpiry?: boolean },
): Promise<Token[]> {
  if (byExpiry)
    return prepared<Token>(
      db,
      `${LIVE_TOKENS} AND t.namespace_id = ? AND (?::bigint IS NULL OR (coalesce(t.expires_at, 'infinity'), t.id)
         < (SELECT coalesce(b.expires_at, 'infinity'), b.id FROM tokens b WHERE b.id = ?::bigint))
       ORDER BY coalesce(t.expires_at, 'infinity') DESC, t.id DESC LIMIT ?`,
      [namespaceId, before, before, limit],
    );
  return prepared<Token>(
    db,
    `${LIVE_TOKENS} AND t.namespace_id = ? AND t.id < coalesce(?::bigint, 9223372036854775807)
     ORDER BY t.id DESC LIMIT ?`,
    [namespaceId, before, limit],
  );
}
