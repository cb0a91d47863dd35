import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/** Where a list of links continues: behind this association of this destination. */
export type LinkCursor = { destination: number; association: number };

/** A secret that is linked to a store. `names`: its entries there that we wrote; empty while there are none. */
export type LinkOfSecret = {
  destination_id: number;
  association_id: number;
  namespace: string;
  mount: string;
  secret_path: string;
  type: string;
  destination: string;
  names: string[];
};

const LINKS = `
SELECT k.destination_id, k.association_id, n.path AS namespace, m.path AS mount, k.secret_path, d.type, d.name AS destination,
  ARRAY(
    SELECT e.external_name FROM entries e WHERE e.association_id = k.association_id AND e.owned
    ORDER BY e.sub_key, e.id LIMIT 100) AS names
FROM destinations d
JOIN namespaces n ON n.id = d.namespace_id
JOIN association_keys k ON k.destination_id = d.id
JOIN mounts m ON m.id = k.mount_id
WHERE d.namespace_id = ANY (?::text[]) AND ${NOT_DELETED}
  AND strpos(lower(m.path || '/' || k.secret_path || ' ' || d.name), lower(?)) > 0 AND (k.destination_id, k.association_id) > (?, ?)
ORDER BY k.destination_id, k.association_id LIMIT ?`;

/** The links of some namespaces whose secret or destination contains a text, destination by destination. */
export async function listLinks(
  db: Database,
  namespaceIds: string[],
  { text, after, limit }: { text: string; after: LinkCursor; limit: number },
): Promise<LinkOfSecret[]> {
  const { rows } = await db.raw<{ rows: LinkOfSecret[] }>(LINKS, [
    namespaceIds,
    text,
    after.destination,
    after.association,
    limit,
  ]);
  return rows;
}
