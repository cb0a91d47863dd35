import type { Database } from '../../db/connect.ts';
import { createToken } from './tokens.ts';

/** Creates a token of the root namespace that may do everything and never expires. Returns its secret. */
export async function createRootToken(db: Database, hashKey: Buffer, displayName = 'root'): Promise<string> {
  const { secret } = await createToken(db, hashKey, {
    namespaceId: 'root',
    parentId: null,
    displayName,
    policies: ['root'],
    renewable: false,
    ttlSeconds: 0,
    explicitMaxTtlSeconds: 0,
  });
  return secret;
}
