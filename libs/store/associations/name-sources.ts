import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** What the names of an association's entries are made from. `sub_keys`: those of its entries in the ledger. */
export type LinkedNameSource = {
  id: number;
  mount: string;
  accessor: string;
  secret_path: string;
  /** Its own template; null: that of the destination applies. */
  template: string | null;
  sub_keys: string[];
};

/** The next associations of a destination that have entries, in order of id, without those that are being removed. */
export function listNameSources(
  db: Database,
  destinationId: number,
  page: { after: number; limit: number },
): Promise<LinkedNameSource[]> {
  return prepared(
    db,
    `SELECT k.association_id AS id, m.path AS mount, m.accessor, k.secret_path, a.secret_name_template AS template,
       ARRAY (SELECT DISTINCT e.sub_key FROM entries e WHERE e.association_id = k.association_id) AS sub_keys
     FROM association_keys k
     JOIN associations a ON a.id = k.association_id AND NOT a.removing
     JOIN mounts m ON m.id = k.mount_id
     WHERE k.destination_id = ? AND k.association_id > ?
     ORDER BY k.association_id LIMIT ?`,
    [destinationId, page.after, page.limit],
  );
}
