import { createHash } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { TeamNamespace } from '../access/teams.ts';
import type { NewToken } from '../access/tokens.ts';

/**
 * Stores a login request to the identity provider, so that only one answer to it is accepted. `nonceHash`: hash of the
 * nonce of the browser that will get the session. `namespace`: the path of the one to sign in to; null: none was named.
 */
export async function storeLoginRequest(
  db: Database,
  request: { id: string; lifetimeSeconds: number; nonceHash: Buffer | null; namespace: string | null },
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
 * of the one to sign in to; null: none was named.
 */
export type ClaimedRequest = { nonceHash: Buffer | null; namespace: string | null };

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
    if (use.requestId === undefined) return { nonceHash: null, namespace: null };
    const [login]: { nonce_hash: Buffer | null; namespace: string | null }[] = await transaction(
      'saml_requests',
    )
      .where({ id: use.requestId })
      .where('expires_at', '>', transaction.fn.now())
      .delete()
      .returning(['nonce_hash', 'namespace']);
    return login ? { nonceHash: login.nonce_hash, namespace: login.namespace } : 'unasked';
  });
}

/** Who has logged in and waits for a session: the token to create, and the namespaces to choose from; absent: there is no choice. */
export type PendingToken = NewToken & { choices?: TeamNamespace[] };

/** Stores who has logged in, until the browser that began the login asks for its session. */
export async function storePendingSession(
  db: Database,
  pending: { nonceHash: Buffer; token: PendingToken; lifetimeSeconds: number },
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

/** The token that waits for a browser. Undefined if none does. */
export async function findPendingSession(db: Database, nonceHash: Buffer): Promise<PendingToken | undefined> {
  const found: { token: PendingToken } | undefined = await pendingOf(db, nonceHash).first('token');
  return found?.token;
}

/** The same, but it can be taken once. */
export async function takePendingSession(db: Database, nonceHash: Buffer): Promise<PendingToken | undefined> {
  const [taken]: { token: PendingToken }[] = await pendingOf(db, nonceHash).delete().returning('token');
  return taken?.token;
}

function pendingOf(db: Database, nonceHash: Buffer) {
  return db('pending_sessions').where({ nonce_hash: nonceHash }).where('expires_at', '>', db.fn.now());
}
