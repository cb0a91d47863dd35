import type { Database } from '../../db/connect.ts';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../db/sql-state.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';

/** A team of the identity provider, and the policies of its members in a namespace; these are in lower case. */
export type Team = { name: string; policies: string[]; updated_at: Date; changed_by: string | null };

/** The teams of a namespace, by name. */
export async function listTeams(db: Database, namespaceId: string): Promise<Team[]> {
  return db('teams')
    .where({ namespace_id: namespaceId })
    .orderBy('name')
    .select('name', 'policies', 'updated_at', 'changed_by');
}

/** Undefined if there is none. */
export async function findTeam(db: Database, namespaceId: string, name: string): Promise<Team | undefined> {
  return db('teams')
    .where({ namespace_id: namespaceId, name })
    .first('name', 'policies', 'updated_at', 'changed_by');
}

/** Creates a team or replaces its policies, unless `guard` throws. Returns the former ones. */
export async function writeTeam(
  db: Database,
  namespaceId: string,
  { name, policies, author }: { name: string; policies: string[]; author: string },
  guard: (isThere: boolean) => void,
): Promise<string[] | undefined> {
  return transact(db, async (transaction) => {
    await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `team ${namespaceId} ${name}`,
    ]);
    const before = await findTeam(transaction, namespaceId, name);
    guard(before !== undefined);
    const row = { policies, updated_at: db.fn.now(), changed_by: author };
    await transaction('teams')
      .insert({ namespace_id: namespaceId, name, ...row })
      .onConflict(['namespace_id', 'name'])
      .merge(row);
    return before?.policies;
  }).catch((error: unknown) => {
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw badRequest('the namespace was just deleted');
    throw error;
  });
}

/** Returns the policies that it had; undefined if there is none. */
export async function deleteTeam(
  db: Database,
  namespaceId: string,
  name: string,
): Promise<string[] | undefined> {
  const rows: { policies: string[] }[] = await db('teams')
    .where({ namespace_id: namespaceId, name })
    .delete()
    .returning('policies');
  return rows[0]?.policies;
}

/** The policies that members of any of these teams have in a namespace, sorted. */
export async function policiesOfTeams(db: Database, namespaceId: string, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await db.raw<{ rows: { policy: string }[] }>(
    `SELECT DISTINCT unnest(policies) AS policy FROM teams WHERE namespace_id = ? AND name = ANY (?::text[]) ORDER BY 1`,
    [namespaceId, names],
  );
  return rows.map(({ policy }) => policy);
}

/** A namespace in which teams give policies. */
export type TeamNamespace = { namespaceId: string; path: string; policies: string[] };

// More are not offered; the address of the sign-in can name any.
const MOST_NAMESPACES = 200;

/** The namespaces in which members of any of these teams have policies, by path. */
export async function namespacesOfTeams(db: Database, names: string[]): Promise<TeamNamespace[]> {
  if (names.length === 0) return [];
  const { rows } = await db.raw<{ rows: TeamNamespace[] }>(
    `SELECT n.id AS "namespaceId", n.path, array_agg(DISTINCT policy ORDER BY policy) AS policies
     FROM teams t JOIN namespaces n ON n.id = t.namespace_id, unnest(t.policies) policy
     WHERE t.name = ANY (?::text[]) GROUP BY n.id, n.path ORDER BY n.path LIMIT ?`,
    [names, MOST_NAMESPACES],
  );
  return rows;
}
