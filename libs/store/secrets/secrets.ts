import type { DueWork } from '../../queue/work-notifications.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { Mount } from './mounts.ts';
import { triggerSecret } from '../associations/triggers.ts';

/** Which secret: `path` has no slash at its ends. */
export type SecretKey = { mount: Mount; path: string };

/** A secret without its versions; the counters and limits are its own, not the mount's. */
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

/** One version without its value; `deleted` is what the database's clock says of `deletion_time`. */
export type SecretVersion = {
  version: number;
  created_at: Date;
  created_by: string | null;
  deleted_by: string | null;
  deletion_time: Date | null;
  deleted: boolean;
  destroyed: boolean;
};

/** Undefined where there is none. */
export async function findSecret(db: Database, { mount, path }: SecretKey): Promise<Secret | undefined> {
  return db<SecretRow>('secrets').where({ mount_id: mount.id, path }).first();
}

/** The same, held until the transaction ends: every change of a secret begins so, which makes changes of one secret wait for each other. */
export async function lockSecret(
  transaction: Database,
  { mount, path }: SecretKey,
): Promise<Secret | undefined> {
  return transaction<SecretRow>('secrets').where({ mount_id: mount.id, path }).forUpdate().first();
}

/**
 * Runs a change in a transaction that also makes the secret's associations due; send the work notifications when it has
 * returned.
 */
export async function changeSecret<Result>(
  db: Database,
  key: SecretKey,
  change: (transaction: Database) => Promise<Result>,
): Promise<{ result: Result; due: DueWork }> {
  // A change of several destinations at once can lock the same associations in another order.
  return transact(db, async (transaction) => {
    const result = await change(transaction);
    const due = await triggerSecret(transaction, { mountId: key.mount.id, path: key.path });
    return { result, due };
  });
}
