import type { Database } from '../../db/connect.ts';
import { IS_LIVE_SESSION } from './sessions.ts';
import { LIVE_TOKENS } from './tokens.ts';

/** A live token as a holder of policies. `sessions`: how many browser sessions act for it. */
export type HoldingToken = {
  accessor: string;
  display_name: string;
  username: string | null;
  policies: string[];
  bound_cidrs: string[];
  ends_at: Date | null;
  sessions: number;
};

/** What gives its policies to tokens that are made later. `of`: the kind of role, or `team`. */
export type GivingRole = {
  of: 'token' | 'approle' | 'jwt' | 'kubernetes' | 'team';
  /** The path of the auth method; null for token roles and teams. */
  mount: string | null;
  name: string;
  policies: string[];
  /** Patterns of names of policies; `*` stands for any text. */
  globs: string[];
};

const TOKENS = `
SELECT held.accessor, held.display_name, held.username, held.policies, held.bound_cidrs, held.ends_at,
  (SELECT count(*)::int FROM sessions s WHERE s.token_id = held.id AND ${IS_LIVE_SESSION}) AS sessions
FROM (${LIVE_TOKENS} AND t.namespace_id = ? ORDER BY t.id DESC LIMIT ?) held ORDER BY held.id DESC`;

const ROLES = `
SELECT 'token' AS of, NULL AS mount, name, settings -> 'allowed_policies' AS policies, settings -> 'allowed_policies_glob' AS globs
FROM token_roles WHERE namespace_id = :namespace
UNION ALL
SELECT m.type, m.path, r.name, r.settings -> 'token_policies', '[]'::jsonb
FROM auth_roles r JOIN auth_mounts m ON m.id = r.mount_id WHERE m.namespace_id = :namespace
UNION ALL
SELECT 'team', NULL, name, to_jsonb(policies), '[]'::jsonb FROM teams WHERE namespace_id = :namespace
ORDER BY 1, 2, 3 LIMIT :limit`;

/** The live tokens of a namespace with their policies, newest first. */
export async function listHoldingTokens(
  db: Database,
  namespaceId: string,
  limit: number,
): Promise<HoldingToken[]> {
  const { rows } = await db.raw<{ rows: HoldingToken[] }>(TOKENS, [namespaceId, limit]);
  return rows;
}

/** The roles and teams of a namespace with their policies. */
export async function listGivingRoles(
  db: Database,
  namespaceId: string,
  limit: number,
): Promise<GivingRole[]> {
  const { rows } = await db.raw<{ rows: GivingRole[] }>(ROLES, { namespace: namespaceId, limit });
  return rows;
}

/** The namespaces above one, and itself, from the root down. */
export async function listNamespacesAbove(
  db: Database,
  path: string,
): Promise<{ id: string; path: string }[]> {
  const parts = path.split('/').filter(Boolean);
  const paths = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
  const { rows } = await db.raw<{ rows: { id: string; path: string }[] }>(
    'SELECT id, path FROM namespaces WHERE path = ANY (?::text[]) ORDER BY length(path)',
    [paths],
  );
  return rows;
}
