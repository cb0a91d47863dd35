import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { AuditSecret } from '../audit/events.ts';
import { createToken, hashToken } from './tokens.ts';

/**
 * The request that a wrapped response belongs to; `wrappedAccessor`: accessor of a token inside the response, empty if
 * there is none.
 */
export type Wrapping = {
  namespaceId: string;
  creationPath: string;
  wrappedAccessor: string;
  ttlSeconds: number;
  /** The token whose answer it is; null if that is gone. */
  ownerId: number | null;
  /** The secret whose values it holds, if it is one. */
  secret: AuditSecret;
};

/** A response that waits to be fetched. */
export type WrappedResponse = Wrapping & { accessor: string; createdAt: Date };

type Keys = { keyring: Keyring; hashKey: Buffer };

type Row = {
  accessor: string;
  namespace_id: string;
  ttl_seconds: number;
  created_at: Date;
  creation_path: string;
  wrapped_accessor: string;
  owner_id: number | null;
  secret: string | null;
  mount_id: number | null;
  secret_path: string | null;
};

const COLUMNS = `t.accessor, t.namespace_id, t.ttl_seconds, t.created_at, w.creation_path, w.wrapped_accessor,
  w.owner_id, w.secret, w.mount_id, w.secret_path`;

const LIVE = `w.token_accessor = t.accessor AND t.hash = ? AND t.expires_at > now()`;

/** Stores a response, sealed, with a token that may only fetch it. The secret of the token is shown only once. */
export async function storeWrapped(
  db: Database,
  { keyring, hashKey }: Keys,
  { content, ...wrapping }: Wrapping & { content: Buffer },
): Promise<WrappedResponse & { secret: string }> {
  return transact(db, async (transaction) => {
    // No parent: it must outlive the caller's token, which may be gone when the receiver fetches the response.
    const { secret, accessor } = await createToken(transaction, hashKey, {
      namespaceId: wrapping.namespaceId,
      parentId: null,
      displayName: 'response-wrapping',
      policies: [],
      renewable: false,
      ttlSeconds: wrapping.ttlSeconds,
      explicitMaxTtlSeconds: wrapping.ttlSeconds,
    });
    await transaction('wrapped_responses').insert({
      token_accessor: accessor,
      creation_path: wrapping.creationPath,
      wrapped_accessor: wrapping.wrappedAccessor,
      owner_id: wrapping.ownerId,
      secret: wrapping.secret.secret ?? null,
      mount_id: wrapping.secret.mountId ?? null,
      secret_path: wrapping.secret.secretPath ?? null,
      sealed: seal(keyring, content, identityOf(accessor)),
    });
    const row = await transaction('tokens').where({ accessor }).first('created_at');
    return { ...wrapping, accessor, createdAt: row.created_at, secret };
  });
}

/** How many responses of a token wait to be fetched, and the bytes of them. */
export async function countWrapped(
  db: Database,
  ownerId: number,
): Promise<{ responses: number; bytes: number }> {
  const { rows } = await db.raw<{ rows: { responses: number; bytes: number }[] }>(
    `SELECT count(*)::int AS responses, coalesce(sum(octet_length(w.sealed)), 0)::int AS bytes
     FROM wrapped_responses w WHERE w.owner_id = ?`,
    [ownerId],
  );
  return rows[0] ?? { responses: 0, bytes: 0 };
}

/** Deletes the responses of a token that nobody can fetch any more; a job also does this regularly. */
export async function deleteExpiredWrapped(db: Database, ownerId: number): Promise<void> {
  await db.raw(
    `DELETE FROM tokens t USING wrapped_responses w
     WHERE w.token_accessor = t.accessor AND w.owner_id = ? AND t.expires_at <= now()`,
    [ownerId],
  );
}

/** Describes the response of a live wrapping token; undefined if there is none. The response stays. */
export async function findWrapped(
  db: Database,
  hashKey: Buffer,
  secret: string,
): Promise<WrappedResponse | undefined> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `SELECT ${COLUMNS} FROM tokens t, wrapped_responses w WHERE ${LIVE}`,
    [hashToken(hashKey, secret)],
  );
  return rows[0] && describe(rows[0]);
}

/**
 * Takes a response and deletes its token; undefined if the token is unknown, used or expired. One statement deletes the
 * token: of two concurrent calls, to any replicas, only one gets the response. Throws UnsealError; the response stays
 * then.
 */
export async function takeWrapped(
  db: Database,
  { keyring, hashKey }: Keys,
  secret: string,
): Promise<(WrappedResponse & { content: Buffer }) | undefined> {
  return transact(db, async (transaction) => {
    const { rows } = await transaction.raw<{ rows: (Row & { sealed: Buffer })[] }>(
      `DELETE FROM tokens t USING wrapped_responses w WHERE ${LIVE} RETURNING ${COLUMNS}, w.sealed`,
      [hashToken(hashKey, secret)],
    );
    const [row] = rows;
    return row && { ...describe(row), content: unseal(keyring, row.sealed, identityOf(row.accessor)) };
  });
}

function describe(row: Row): WrappedResponse {
  return {
    accessor: row.accessor,
    namespaceId: row.namespace_id,
    creationPath: row.creation_path,
    wrappedAccessor: row.wrapped_accessor,
    ownerId: row.owner_id,
    secret: { secret: row.secret, mountId: row.mount_id, secretPath: row.secret_path },
    ttlSeconds: row.ttl_seconds,
    createdAt: row.created_at,
  };
}

function identityOf(accessor: string): string {
  return `wrapped_responses/${accessor}`;
}
