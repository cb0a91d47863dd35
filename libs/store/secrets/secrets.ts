import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { SecretChange } from '../../telling/attempts.ts';
import type { Mount } from './mounts.ts';
import { triggerSecret } from '../associations/triggers.ts';

/** Identifies a secret: `path` has no slash at its ends. */
export type SecretKey = { mount: Mount; path: string };

/** A secret without its versions; counters and limits are those of the secret, not of the mount. */
export type Secret = {
  id: number;
  current_version: number;
  /** 0 until an old version was dropped. */
  oldest_version: number;
  max_versions: number;
  cas_required: boolean;
  delete_version_after_seconds: number;
  custom_metadata: Record<string, string> | null;
  created_at: Date;
  updated_at: Date;
  last_updated_by: string | null;
};

type SecretRow = Secret & { mount_id: number; path: string };

/** One version without its value; `deleted` compares `deletion_time` with the database's clock. */
export type SecretVersion = {
  version: number;
  created_at: Date;
  created_by: string | null;
  deleted_by: string | null;
  deletion_time: Date | null;
  deleted: boolean;
  destroyed: boolean;
};

/** Undefined if there is none. */
export async function findSecret(db: Database, { mount, path }: SecretKey): Promise<Secret | undefined> {
  return db<SecretRow>('secrets').where({ mount_id: mount.id, path }).first();
}

/**
 * The same, locked until the transaction ends. Every change of a secret begins with this lock, so changes of one secret
 * run one at a time.
 */
export async function lockSecret(
  transaction: Database,
  { mount, path }: SecretKey,
): Promise<Secret | undefined> {
  return transaction<SecretRow>('secrets').where({ mount_id: mount.id, path }).forUpdate().first();
}

/**
 * Runs a change in a transaction that also makes the secret's associations due. `name`: what the change was, unless it saved
 * a version.
 */
export async function changeSecret<Result>(
  db: Database,
  key: SecretKey,
  author: string,
  change: (transaction: Database) => Promise<Result>,
  name?: (result: Result) => SecretChange | undefined,
): Promise<Result> {
  // `transact` retries after a deadlock: a change of several destinations may lock the same associations in another
  // order.
  return transact(db, async (transaction) => {
    const result = await change(transaction);
    const secret = { mountId: key.mount.id, path: key.path, author, change: name?.(result) };
    await triggerSecret(transaction, secret);
    return result;
  });
}
