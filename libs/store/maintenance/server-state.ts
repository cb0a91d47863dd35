import type { Database } from '../../db/connect.ts';
import { MissingRightError } from '../../db/refusals.ts';

class RolledBack extends Error {}

/**
 * Makes a change that is never committed. Throws what Postgres says if it accepts no changes now, and a MissingRightError if
 * the role may not use some table.
 */
export async function tryChange(db: Database): Promise<void> {
  await requireRights(db);
  try {
    await db.transaction(async (transaction) => {
      await transaction.raw(
        "INSERT INTO settings (kind, attributes) VALUES ('probe ' || gen_random_uuid()::text, '{}')",
      );
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

// One table is enough to break a part of the service. Tables of another owner are not ours.
async function requireRights(db: Database): Promise<void> {
  const { rows } = await db.raw<{ rows: { missing: string | null }[] }>(
    `SELECT string_agg(rights || ' on the table ' || relname, '; ' ORDER BY relname) AS missing
     FROM (
       SELECT relname, string_agg(lower(needed), ', ' ORDER BY place) AS rights
       FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS rights_of (needed, place)
       WHERE relkind IN ('r', 'p') AND NOT has_table_privilege(pg_class.oid, needed)
         AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
         AND relowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('settings'))
       GROUP BY relname ORDER BY relname LIMIT 3
     ) AS tables`,
  );
  const missing = rows[0]?.missing;
  if (missing) throw new MissingRightError(missing);
}

/** Whether a commit of ours has waited more than two seconds for a synchronous standby; the standby is gone then. */
export async function hasWaitingCommit(db: Database): Promise<boolean> {
  // Postgres hides the sessions of other roles; our own are enough.
  const { rows } = await db.raw<{ rows: { waits: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
       AND query_start < clock_timestamp() - interval '2 seconds') AS waits`,
  );
  return rows[0]?.waits ?? false;
}
