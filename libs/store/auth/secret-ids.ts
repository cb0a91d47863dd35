import { fingerprint, randomToken } from '../../crypto/fingerprint.ts';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { inBatches } from '../../db/in-batches.ts';
import { prepared } from '../../db/prepared.ts';
import { isSqlState, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';

/** A role of an AppRole auth method. */
export type SecretIdOwner = { mountId: number; role: string };

/** A secret id without its secret. */
export type SecretId = {
  accessor: string;
  metadata: Record<string, string>;
  /** Where log-ins may come from; empty: as the role says. */
  cidrs: string[];
  /** Where the tokens may be used; empty: as the role says. */
  token_cidrs: string[];
  /** Null: any number. */
  uses_left: number | null;
  /** 0: it does not expire. */
  ttl_seconds: number;
  created_at: Date;
  expires_at: Date | null;
};

/** `secret`: chosen by the caller; absent: a random one. */
export type NewSecretId = Omit<SecretId, 'accessor' | 'created_at' | 'expires_at'> & { secret?: string };

const LIVE = `
SELECT accessor, metadata, cidrs, token_cidrs, uses_left, ttl_seconds, created_at, expires_at FROM secret_ids
WHERE mount_id = ? AND role_name = ? AND (expires_at IS NULL OR expires_at > now()) AND uses_left IS DISTINCT FROM 0`;

/** Stores only a keyed hash; the returned secret can never be shown again. Throws 400 if the role has the secret already. */
export async function createSecretId(
  db: Database,
  hashKey: Buffer,
  owner: SecretIdOwner,
  { secret = randomToken(), ...made }: NewSecretId,
): Promise<{ secret: string; accessor: string }> {
  const accessor = randomUUID();
  await db('secret_ids')
    .insert({
      ...made,
      metadata: JSON.stringify(made.metadata),
      accessor,
      mount_id: owner.mountId,
      role_name: owner.role,
      hash: hashOf(hashKey, owner, secret),
      expires_at: made.ttl_seconds > 0 ? db.raw("now() + ? * interval '1 second'", [made.ttl_seconds]) : null,
    })
    .catch((error: unknown) => {
      if (isSqlState(error, UNIQUE_VIOLATION)) throw badRequest('the role has this secret_id already');
      throw error;
    });
  return { secret, accessor };
}

/** A live one by its secret. */
export async function findSecretId(
  db: Database,
  hashKey: Buffer,
  owner: SecretIdOwner,
  secret: string,
): Promise<SecretId | undefined> {
  const hash = hashOf(hashKey, owner, secret);
  const [found] = await prepared<SecretId>(db, `${LIVE} AND hash = ?`, [owner.mountId, owner.role, hash]);
  return found;
}

/** A live one by its accessor. */
export async function findSecretIdByAccessor(
  db: Database,
  owner: SecretIdOwner,
  accessor: string,
): Promise<SecretId | undefined> {
  const [found] = await prepared<SecretId>(db, `${LIVE} AND accessor = ?`, [
    owner.mountId,
    owner.role,
    accessor,
  ]);
  return found;
}

/** The live ones of a role, by accessor. */
export async function listSecretIds(db: Database, owner: SecretIdOwner): Promise<SecretId[]> {
  return prepared<SecretId>(db, `${LIVE} ORDER BY accessor`, [owner.mountId, owner.role]);
}

/**
 * Counts one use. False if none was left. It is one statement: if many log-ins come at once, to any replicas, no more get
 * through than the limit allows.
 */
export async function spendSecretId(db: Database, accessor: string): Promise<boolean> {
  const count = await db('secret_ids')
    .where({ accessor })
    .where('uses_left', '>', 0)
    .update({ uses_left: db.raw('uses_left - 1') });
  return count > 0;
}

/** Deletes it; no log-in with it succeeds any more. */
export async function deleteSecretId(db: Database, accessor: string): Promise<void> {
  await db('secret_ids').where({ accessor }).delete();
}

/** Deletes the expired and used-up ones of an auth method, at most `limit` in one transaction. Returns how many. */
export async function deleteEndedSecretIds(db: Database, mountId: number, limit: number): Promise<number> {
  return inBatches(
    (work) => transact(db, work),
    limit,
    (transaction) => {
      const ended = transaction('secret_ids')
        .where({ mount_id: mountId })
        .whereRaw('(expires_at <= now() OR uses_left = 0)')
        .limit(limit)
        .select('accessor');
      return transaction('secret_ids').whereIn('accessor', ended).delete();
    },
  );
}

function hashOf(hashKey: Buffer, { mountId, role }: SecretIdOwner, secret: string): Buffer {
  return fingerprint(hashKey, 'secret id', JSON.stringify([mountId, role, secret]));
}
