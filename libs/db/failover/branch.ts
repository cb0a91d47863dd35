import { randomUUID } from 'node:crypto';
import type { SessionClient } from '../session.ts';
import { isSqlState, NOT_TOLD } from '../sql-state.ts';

/**
 * One history of a database. A promotion starts a new one with a higher timeline. `id` is random, because two histories
 * may have the same timeline; null if the schema does not have the column yet.
 */
export type Branch = { system: string; timeline: number; id: string | null };

/** What a server reports about itself; `branch` is null if it does not report one. */
export type ServerIdentity = { isStandby: boolean; branch: Branch | null };

type Row = { isStandby: boolean; system: string; timeline: string | null; isKept: boolean };

// The control file shows the old timeline until the next checkpoint. The name of the WAL file that is being written does
// not.
const IDENTIFY = `
SELECT pg_is_in_recovery() AS "isStandby",
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline,
  EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('database_branch')
    AND attname = 'inherited') AS "isKept"`;

const READ_ONLY = '25006';

/** Asks a server which branch it writes. The first caller after a promotion gives the new branch its id. */
export async function identify(client: SessionClient): Promise<ServerIdentity> {
  const row = await ask(client);
  if (row.isStandby || row.timeline === null) return { isStandby: row.isStandby, branch: null };
  const { system } = row;
  const timeline = Number.parseInt(row.timeline, 16);
  const id = row.isKept ? await readId(client, system, timeline) : null;
  return { isStandby: false, branch: { system, timeline, id } };
}

async function ask(client: SessionClient): Promise<Row> {
  try {
    const { rows } = await client.run<Row>(IDENTIFY);
    if (rows[0]) return rows[0];
  } catch (error) {
    if (!isSqlState(error, ...NOT_TOLD)) throw error;
  }
  const { rows } = await client.run<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"');
  return { isStandby: rows[0]?.isStandby ?? false, system: '', timeline: null, isKept: false };
}

async function readId(client: SessionClient, system: string, timeline: number): Promise<string | null> {
  const find = async (): Promise<string | undefined> => {
    const found = await client.run<{ id: string }>(
      'SELECT id FROM database_branch WHERE system = $1 AND timeline = $2',
      [system, timeline],
    );
    return found.rows[0]?.id;
  };
  const known = await find();
  if (known !== undefined) return known;
  try {
    await begin(client, system, timeline);
  } catch (error) {
    await client.query('ROLLBACK');
    if (!isSqlState(error, READ_ONLY)) throw error;
  }
  return (await find()) ?? null;
}

// If several callers come at once, the first wins and the others change nothing.
async function begin(client: SessionClient, system: string, timeline: number): Promise<void> {
  await client.query(client.beginSql);
  // A new primary may not have a standby yet that its commits wait for.
  await client.query('SET LOCAL synchronous_commit = local');
  await client.query(
    `UPDATE database_branch SET system = $1, timeline = $2, id = $3, began_at = now(), inherited = counted,
       -- If commits did not wait for a standby, this server may miss the last ones.
       ledger_is_stale = ledger_is_stale OR (timeline IS NOT NULL AND NOT synchronous)
     WHERE (system, timeline) IS DISTINCT FROM ($1, $2)`,
    [system, timeline, randomUUID()],
  );
  await client.query('COMMIT');
}

/** Compares a branch with a known one. `other`: neither descends from the other, or that is unknown. */
export function compareBranches(branch: Branch, known: Branch): 'same' | 'newer' | 'older' | 'other' {
  if (branch.system !== known.system) return 'other';
  if (branch.timeline !== known.timeline) return branch.timeline > known.timeline ? 'newer' : 'older';
  return branch.id === known.id || branch.id === null || known.id === null ? 'same' : 'other';
}
