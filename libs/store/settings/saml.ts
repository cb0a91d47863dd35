import { createHash } from 'node:crypto';
import type { Database } from '../../db/connect.ts';

/** Remembers a login request that goes out to the identity provider, so that one answer to it is taken. */
export async function storeLoginRequest(db: Database, id: string, lifetimeSeconds: number): Promise<void> {
  await db.raw(`INSERT INTO saml_requests (id, expires_at) VALUES (?, now() + ? * interval '1 second')`, [
    id,
    lifetimeSeconds,
  ]);
  await db('saml_requests').where('expires_at', '<', db.fn.now()).delete();
}

/** What an assertion may be used for once only: its own id and the request it answers. */
export type AssertionUse = { assertionId: string; expiresAt: Date; requestId: string | undefined };

/** Marks an assertion as used, both of its marks or none; says which of them had been used up before. */
export async function claimAssertion(
  db: Database,
  use: AssertionUse,
): Promise<'claimed' | 'replayed' | 'unasked'> {
  const hash = createHash('sha256').update(use.assertionId).digest();
  await db('saml_assertions').where('expires_at', '<', db.fn.now()).delete();
  return db.transaction(async (transaction) => {
    const inserted = await transaction('saml_assertions')
      .insert({ hash, expires_at: use.expiresAt })
      .onConflict('hash')
      .ignore()
      .returning('hash');
    if (inserted.length === 0) return 'replayed';
    if (use.requestId === undefined) return 'claimed';
    const asked = await transaction('saml_requests')
      .where({ id: use.requestId })
      .where('expires_at', '>', transaction.fn.now())
      .delete();
    return asked === 1 ? 'claimed' : 'unasked';
  });
}
