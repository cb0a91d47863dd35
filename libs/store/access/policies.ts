import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { transact } from '../../db/transact.ts';
import type { Stamp } from '../../validation/preconditions.ts';

type PolicyKey = { namespace_id: string; name: string };

/** A stored policy as it was written. */
export type StoredPolicy = PolicyKey & Stamp & { source: string };

/** Which state of a policy there is; every write of the name gives another version. `bytes`: what its document takes. */
export type PolicyVersion = { name: string; version: string; bytes: number };

/** Throws if a change does not apply to the present state; undefined: the policy does not exist. */
type Guard = (present: Stamp | undefined) => void;

// A policy that was deleted and written anew begins with the first revision again, at another time.
const VERSION = `revision || ' ' || extract(epoch FROM updated_at)`;

const STAMP = ['revision', 'updated_at AS changed_at', 'changed_by'];

/** A policy by its name; undefined if there is none. */
export async function findPolicy(
  db: Database,
  namespaceId: string,
  name: string,
): Promise<StoredPolicy | undefined> {
  return db('policies')
    .where({ namespace_id: namespaceId, name })
    .first<StoredPolicy | undefined>('namespace_id', 'name', 'source', ...STAMP);
}

/** Versions of the named policies in one namespace, in the order of their names; unknown names are left out. */
export async function findPolicyVersions(
  db: Database,
  namespaceId: string,
  names: string[],
): Promise<PolicyVersion[]> {
  if (names.length === 0) return [];
  // One array parameter: a statement takes at most 65,535 parameters.
  return prepared<PolicyVersion>(
    db,
    `SELECT name, ${VERSION} AS version, pg_column_size(document) AS bytes FROM policies
     WHERE namespace_id = ? AND name = ANY (?) ORDER BY name`,
    [namespaceId, names],
  );
}

/** Parsed documents of the named policies, with the version of each. */
export async function findPolicyDocuments(
  db: Database,
  namespaceId: string,
  names: string[],
): Promise<(Omit<PolicyVersion, 'bytes'> & { document: unknown })[]> {
  return prepared(
    db,
    `SELECT name, ${VERSION} AS version, document FROM policies WHERE namespace_id = ? AND name = ANY (?)`,
    [namespaceId, names],
  );
}

/** Names of the stored policies of one namespace. */
export async function listPolicyNames(db: Database, namespaceId: string): Promise<string[]> {
  return (await listPolicies(db, namespaceId)).map(({ name }) => name);
}

/** The stored policies of one namespace by name, with the last change of each. */
export async function listPolicies(
  db: Database,
  namespaceId: string,
): Promise<(Pick<PolicyKey, 'name'> & Stamp)[]> {
  return db('policies')
    .where({ namespace_id: namespaceId })
    .orderBy('name')
    .select<(Pick<PolicyKey, 'name'> & Stamp)[]>('name', ...STAMP);
}

/**
 * Writes or replaces a policy; `author` is a display name. Returns the former document. If `guard` throws, so does this,
 * and nothing is written.
 */
export async function writePolicy(
  db: Database,
  policy: PolicyKey & { document: unknown; source: string; author: string },
  guard: Guard,
): Promise<unknown> {
  const { namespace_id, name, source, author } = policy;
  const key = { namespace_id, name };
  const row = {
    document: JSON.stringify(policy.document),
    source,
    changed_by: author,
    updated_at: db.fn.now(),
  };
  return transact(db, async (transaction) => {
    const insert = () =>
      transaction('policies')
        .insert({ ...key, ...row })
        .onConflict(['namespace_id', 'name']);
    let present = await lockPolicy(transaction, key);
    guard(present);
    if (!present) {
      const inserted = await insert().ignore().returning('name');
      if (inserted.length > 0) return undefined;
      // An absent row cannot be locked: another caller created it in between.
      present = await lockPolicy(transaction, key);
      guard(present);
    }
    await insert().merge({ ...row, revision: transaction.raw('policies.revision + 1') });
    return present?.document;
  });
}

/** Deletes a policy, if there is one, and returns its document. If `guard` throws, so does this. */
export async function deletePolicy(db: Database, key: PolicyKey, guard: Guard): Promise<unknown> {
  return transact(db, async (transaction) => {
    const present = await lockPolicy(transaction, key);
    guard(present);
    if (!present) return undefined;
    await transaction('policies').where(key).delete();
    return present.document;
  });
}

async function lockPolicy(
  transaction: Database,
  key: PolicyKey,
): Promise<(Stamp & { document: unknown }) | undefined> {
  return transaction('policies')
    .where(key)
    .forUpdate()
    .first<(Stamp & { document: unknown }) | undefined>('document', ...STAMP);
}
