import type { Database } from '../../db/connect.ts';

/** A policy as stored: its parsed document and the text it was written as. */
export type StoredPolicy = { namespace_id: string; name: string; document: unknown; source: string };

/** Documents of the named policies in one namespace; names nobody wrote are simply absent. */
export async function findPolicies(
  db: Database,
  namespaceId: string,
  names: string[],
): Promise<StoredPolicy[]> {
  if (names.length === 0) return [];
  // One value: a statement takes no more than 65,535.
  return db<StoredPolicy>('policies')
    .where({ namespace_id: namespaceId })
    .whereRaw('name = ANY (?)', [names]);
}

/** Names of the policies somebody wrote in one namespace. */
export async function listPolicyNames(db: Database, namespaceId: string): Promise<string[]> {
  const rows: { name: string }[] = await db('policies')
    .where({ namespace_id: namespaceId })
    .orderBy('name')
    .select('name');
  return rows.map((row) => row.name);
}

/** Writes or replaces a policy. */
export async function writePolicy(db: Database, policy: StoredPolicy): Promise<void> {
  const row = { document: JSON.stringify(policy.document), source: policy.source, updated_at: db.fn.now() };
  await db('policies')
    .insert({ namespace_id: policy.namespace_id, name: policy.name, ...row })
    .onConflict(['namespace_id', 'name'])
    .merge(row);
}

/** Deletes a policy, if there is one. */
export async function deletePolicy(db: Database, namespaceId: string, name: string): Promise<void> {
  await db('policies').where({ namespace_id: namespaceId, name }).delete();
}
