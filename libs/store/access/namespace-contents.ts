import type { Database } from '../../db/connect.ts';

/** What a namespace itself holds, without those below it. `last_changed`: of its secrets, policies and destinations. */
export type NamespaceContents = {
  id: string;
  secrets: number;
  destinations: number;
  tokens: number;
  last_changed: Date | null;
};

/** What each of some namespaces holds. */
export async function countContents(db: Database, ids: string[]): Promise<Map<string, NamespaceContents>> {
  const { rows } = await db.raw<{ rows: NamespaceContents[] }>(
    `SELECT n.id, held.secrets, stores.destinations,
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
