import type { AppKey } from '../../crypto/app-key.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import type { Stamp } from '../../validation/preconditions.ts';

/** A GitHub App that destinations of its namespace may sign in as. */
export type GithubApp = Stamp & {
  name: string;
  /** The number that GitHub gave it. */
  app_id: number;
  /** Null: github.com. */
  enterprise_url: string | null;
  /** SHA-256 of the public half of its key, base64. */
  fingerprint: string;
};

export type GithubAppKey = { namespaceId: string; name: string };

type Written = Pick<GithubApp, 'app_id' | 'enterprise_url' | 'fingerprint'> & {
  /** PEM; absent: the key stays. */
  privateKey?: string;
  author: string;
};

const COLUMNS = ['name', 'app_id', 'enterprise_url', 'fingerprint', 'revision', 'changed_at', 'changed_by'];

/**
 * Undefined if there is none. In a transaction, `share` keeps others from deleting or changing it, `update` also from
 * sharing it.
 */
export async function findGithubApp(
  db: Database,
  { namespaceId, name }: GithubAppKey,
  lock?: 'share' | 'update',
): Promise<GithubApp | undefined> {
  const query = db('github_apps').where({ namespace_id: namespaceId, name });
  if (lock === 'share') void query.forShare();
  if (lock === 'update') void query.forUpdate();
  return query.first<GithubApp | undefined>(COLUMNS);
}

/** Names, sorted. */
export async function listGithubApps(db: Database, namespaceId: string): Promise<string[]> {
  return db('github_apps').where({ namespace_id: namespaceId }).orderBy('name').pluck('name');
}

/** Undefined if the name is taken. */
export async function insertGithubApp(
  transaction: Database,
  keyring: Keyring,
  key: GithubAppKey,
  { privateKey, author, ...columns }: Written & { privateKey: string },
): Promise<GithubApp | undefined> {
  const [row]: GithubApp[] = await transaction('github_apps')
    .insert({
      namespace_id: key.namespaceId,
      name: key.name,
      ...columns,
      sealed_private_key: seal(keyring, privateKey, identityOf(key)),
      changed_by: author,
    })
    .onConflict(['namespace_id', 'name'])
    .ignore()
    .returning(COLUMNS);
  return row;
}

/** Stores a change of a locked app. */
export async function updateGithubApp(
  transaction: Database,
  keyring: Keyring,
  key: GithubAppKey,
  { privateKey, author, ...columns }: Written,
): Promise<GithubApp> {
  const sealed =
    privateKey === undefined ? {} : { sealed_private_key: seal(keyring, privateKey, identityOf(key)) };
  const [row]: GithubApp[] = await transaction('github_apps')
    .where({ namespace_id: key.namespaceId, name: key.name })
    .update({
      ...columns,
      ...sealed,
      revision: transaction.raw('revision + 1'),
      changed_at: transaction.fn.now(),
      changed_by: author,
    })
    .returning(COLUMNS);
  if (!row) throw new Error('a locked app disappeared');
  return row;
}

export async function deleteGithubApp(
  transaction: Database,
  { namespaceId, name }: GithubAppKey,
): Promise<void> {
  await transaction('github_apps').where({ namespace_id: namespaceId, name }).delete();
}

/** The destinations that sign in as an app, by type and name. */
export async function listDestinationsOfApp(
  db: Database,
  { namespaceId, name }: GithubAppKey,
): Promise<{ id: number; type: string; name: string }[]> {
  return db('destinations')
    .where({ namespace_id: namespaceId })
    .whereRaw("settings ->> 'app_name' = ?", [name])
    .orderBy(['type', 'name'])
    .select('id', 'type', 'name');
}

/** What signs for an app of the namespace with this path; undefined if there is none. Throws UnsealError. */
export async function openGithubApp(
  db: Database,
  keyring: Keyring,
  app: { namespace: string; name: string },
): Promise<AppKey | undefined> {
  const row = await db('github_apps AS g')
    .join('namespaces AS n', 'n.id', 'g.namespace_id')
    .where({ 'n.path': app.namespace, 'g.name': app.name })
    .first<{ namespaceId: string; appId: number; sealed: Buffer } | undefined>(
      'n.id AS namespaceId',
      'g.app_id AS appId',
      'g.sealed_private_key AS sealed',
    );
  if (!row) return undefined;
  const key = { namespaceId: row.namespaceId, name: app.name };
  return { appId: row.appId, privateKey: unseal(keyring, row.sealed, identityOf(key)).toString() };
}

function identityOf({ namespaceId, name }: GithubAppKey): string {
  return `github_apps/${namespaceId}/${name}`;
}
