import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** What a name of the audit trail is the name of. */
export type AuditNameKind = 'user' | 'actor' | 'address' | 'secret';

const COLUMNS: Record<AuditNameKind, string> = {
  user: 'username',
  actor: 'actor',
  address: 'address',
  secret: 'secret',
};

// Each different name costs a look-up in an index; the number of its entries does not matter.
const MOST_LOOKED_AT = 2000;

/** The different names in the whole trail that contain a text, whatever its case, in order; at most `limit`. */
export async function listAuditNames(
  db: Database,
  kind: AuditNameKind,
  { text, limit }: { text: string; limit: number },
): Promise<string[]> {
  const column = COLUMNS[kind];
  const rows = await prepared<{ name: string }>(
    db,
    `WITH RECURSIVE names (name, number) AS (
       (SELECT ${column}, 1 FROM audit_events WHERE ${column} IS NOT NULL ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT ${column} FROM audit_events e WHERE e.${column} > n.name ORDER BY e.${column} LIMIT 1), number + 1
       FROM names n WHERE n.name IS NOT NULL AND number < ?)
     SELECT name FROM names WHERE name IS NOT NULL AND strpos(lower(name), lower(?)) > 0 ORDER BY name LIMIT ?`,
    [MOST_LOOKED_AT, text, limit],
  );
  return rows.map(({ name }) => name);
}
