import { createHash } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { NewToken } from '../access/tokens.ts';

/**
 * Stores a login request to the identity provider, so that only one answer to it is accepted. `nonceHash`: hash of the
 * nonce of the browser that will get the session. `namespace`: the path of the one to sign in to.
 */
export async function storeLoginRequest(
  db: Database,
  request: { id: string; lifetimeSeconds: number; nonceHash: Buffer | null; namespace: string },
): Promise<void> {
  await db.raw(
    `INSERT INTO saml_requests (id, expires_at, nonce_hash, namespace)
     VALUES (?, now() + ? * interval '1 second', ?, ?)`,
    [request.id, request.lifetimeSeconds, request.nonceHash, request.namespace],
  );
  await db('saml_requests').where('expires_at', '<', db.fn.now()).delete();
}

/** What an assertion uses up: its own id, and the request that it answers. */
export type AssertionUse = { assertionId: string; expiresAt: Date; requestId: string | undefined };

/**
 * `nonceHash`: hash of the nonce of the browser that sent the request, if that browser is to get a session. `namespace`: the path
 * of the one to sign in to.
 */
export type ClaimedRequest = { nonceHash: Buffer | null; namespace: string };

/**
 * Marks an assertion and its request as used, in one transaction. `replayed`: the assertion was used before. `unasked`:
 * the request is unknown, expired or was answered before.
 */
export async function claimAssertion(
  db: Database,
  use: AssertionUse,
): Promise<ClaimedRequest | 'replayed' | 'unasked'> {
  const hash = createHash('sha256').update(use.assertionId).digest();
  await db('saml_assertions').where('expires_at', '<', db.fn.now()).delete();
  return transact(db, async (transaction) => {
    const inserted = await transaction('saml_assertions')
      .insert({ hash, expires_at: use.expiresAt })
      .onConflict('hash')
      .ignore()
      .returning('hash');
    if (inserted.length === 0) return 'replayed';
    if (use.requestId === undefined) return { nonceHash: null, namespace: '' };
    const [login]: { nonce_hash: Buffer | null; namespace: string | null }[] = await transaction(
      'saml_requests',
    )
      .where({ id: use.requestId })
      .where('expires_at', '>', transaction.fn.now())
      .delete()
      .returning(['nonce_hash', 'namespace']);
    return login ? { nonceHash: login.nonce_hash, namespace: login.namespace ?? '' } : 'unasked';
  });
}

/** Stores who has logged in, until the browser that began the login asks for its session. */
export async function storePendingSession(
  db: Database,
  pending: { nonceHash: Buffer; token: NewToken; lifetimeSeconds: number },
): Promise<void> {
  await db('pending_sessions').where('expires_at', '<', db.fn.now()).delete();
  await db('pending_sessions')
    .insert({
      nonce_hash: pending.nonceHash,
      token: JSON.stringify(pending.token),
      expires_at: db.raw("now() + ? * interval '1 second'", [pending.lifetimeSeconds]),
    })
    .onConflict('nonce_hash')
    .merge();
}

/** The token to create for a browser; can be taken once. Undefined if none waits. */
export async function takePendingSession(db: Database, nonceHash: Buffer): Promise<NewToken | undefined> {
  const [taken]: { token: NewToken }[] = await db('pending_sessions')
    .where({ nonce_hash: nonceHash })
    .where('expires_at', '>', db.fn.now())
    .delete()
    .returning('token');
  return taken?.token;
}
