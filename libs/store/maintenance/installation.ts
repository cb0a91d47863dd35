import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { noteMasterKey } from './master-keys.ts';

const HASH_KEY = 'installation/hash_key';

/**
 * `id`: part of the owner marks in external stores. `hashKey`: key for the hashes of tokens and values; it outlives the
 * master key.
 */
export type Installation = { id: string; hashKey: Buffer };

/**
 * Reads the installation's identity. The first process creates its hash key. Throws UnsealError if the master key is
 * wrong.
 */
export async function loadInstallation(db: Database, keyring: Keyring): Promise<Installation> {
  return transact(db, async (transaction) => {
    const row: { id: string; sealed_hash_key: Buffer | null } = await transaction('installation')
      .forUpdate()
      .first();
    await noteMasterKey(transaction, keyring.current.id);
    if (row.sealed_hash_key) return { id: row.id, hashKey: unseal(keyring, row.sealed_hash_key, HASH_KEY) };
    const hashKey = randomBytes(32);
    await transaction('installation').update({ sealed_hash_key: seal(keyring, hashKey, HASH_KEY) });
    return { id: row.id, hashKey };
  });
}

/** True for the one caller that may create the first root token. */
export async function claimBootstrap(db: Database): Promise<boolean> {
  const rows = await db('installation')
    .whereNull('bootstrapped_at')
    .update({ bootstrapped_at: db.fn.now() }, ['id']);
  return rows.length === 1;
}
