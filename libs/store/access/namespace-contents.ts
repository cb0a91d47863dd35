import type { Database } from '../../db/connect.ts';

/** What a namespace itself holds, without those below it. `last_changed`: of its secrets, policies and destinations. */
export type NamespaceContents = {
  id: string;
  mounts: number;
  secrets: number;
  destinations: number;
  tokens: number;
  last_changed: Date | null;
};

/**
 * How many things of each kind must go before a namespace can be deleted; only kinds of which there are some. Expired tokens
 * do not count: they go with it.
 */
export async function countHindrances(
  db: Database,
  namespace: { id: string; path: string },
): Promise<Record<string, number>> {
  const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
    `SELECT
       (SELECT count(*)::int FROM namespaces WHERE starts_with(path, :start)) AS namespaces,
       (SELECT count(*)::int FROM mounts WHERE namespace_id = :id) AS mounts,
       (SELECT count(*)::int FROM destinations WHERE namespace_id = :id) AS destinations,
       (SELECT count(*)::int FROM policies WHERE namespace_id = :id) AS policies,
       (SELECT count(*)::int FROM token_roles WHERE namespace_id = :id) AS token_roles,
       (SELECT count(*)::int FROM auth_mounts WHERE namespace_id = :id) AS auth_methods,
       (SELECT count(*)::int FROM teams WHERE namespace_id = :id) AS teams,
       (SELECT count(*)::int FROM alert_rules WHERE namespace_id = :id) AS alert_rules,
       (SELECT count(*)::int FROM github_apps WHERE namespace_id = :id) AS github_apps,
       (SELECT count(*)::int FROM tokens
        WHERE namespace_id = :id AND (expires_at IS NULL OR expires_at > now())) AS tokens`,
    { start: `${namespace.path}/`, id: namespace.id },
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0));
}

/** What each of some namespaces holds. */
export async function countContents(db: Database, ids: string[]): Promise<Map<string, NamespaceContents>> {
  const { rows } = await db.raw<{ rows: NamespaceContents[] }>(
    `SELECT n.id, (SELECT count(*)::int FROM mounts m WHERE m.namespace_id = n.id) AS mounts, held.secrets, stores.destinations,
       (SELECT count(*)::int FROM tokens t
        WHERE t.namespace_id = n.id AND (t.expires_at IS NULL OR t.expires_at > now())) AS tokens,
       greatest(held.at, stores.at, (SELECT max(p.updated_at) FROM policies p WHERE p.namespace_id = n.id)) AS last_changed
     FROM namespaces n
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS secrets, max(s.updated_at) AS at
       FROM mounts m JOIN secrets s ON s.mount_id = m.id WHERE m.namespace_id = n.id) held
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS destinations, max(d.changed_at) AS at FROM destinations d WHERE d.namespace_id = n.id) stores
     WHERE n.id = ANY (?::text[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
