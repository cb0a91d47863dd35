import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import type { AuthMount } from './mounts.ts';

/** Whether an auth method has a token that asks its cluster. */
export async function hasTokenReviewer(db: Database, mountId: number): Promise<boolean> {
  const row = await db('auth_mounts')
    .where({ id: mountId })
    .whereNotNull('sealed_token_reviewer')
    .first<object | undefined>('id');
  return row !== undefined;
}

/** The token that asks the cluster of an auth method; null if there is none. Throws UnsealError. */
export async function openTokenReviewer(
  db: Database,
  keyring: Keyring,
  mountId: number,
): Promise<string | null> {
  const row = await db('auth_mounts')
    .where({ id: mountId })
    .first<{ sealed: Buffer | null } | undefined>({ sealed: 'sealed_token_reviewer' });
  return row?.sealed ? unseal(keyring, row.sealed, identityOf(mountId)).toString() : null;
}

/** Stores it sealed; null removes it. */
export async function storeTokenReviewer(
  transaction: Database,
  keyring: Keyring,
  { mountId, token }: { mountId: number; token: string | null },
): Promise<void> {
  const sealed = token === null ? null : seal(keyring, token, identityOf(mountId));
  await transaction('auth_mounts').where({ id: mountId }).update({ sealed_token_reviewer: sealed });
}

/**
 * What is configured now; other writers of the configuration wait until the transaction ends. Undefined if the auth
 * method is gone.
 */
export async function lockAuthConfig(
  transaction: Database,
  mountId: number,
): Promise<(Pick<AuthMount, 'config'> & { hasReviewer: boolean }) | undefined> {
  return transaction('auth_mounts')
    .where({ id: mountId })
    .forNoKeyUpdate()
    .first('config', transaction.raw('sealed_token_reviewer IS NOT NULL AS "hasReviewer"'));
}

function identityOf(mountId: number): string {
  return `auth_mounts/${mountId}`;
}
