import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import { lockToken } from './tokens.ts';

/** The place of a value: each token sees only its own. */
export type CubbyholeKey = { tokenId: number; path: string };

/** How many entries a token has, and the bytes of their paths and sealed values. */
export type Usage = { entries: number; bytes: number };

/** A stored value; undefined if there is none. Throws UnsealError. */
export async function readCubbyhole(
  db: Database,
  keyring: Keyring,
  key: CubbyholeKey,
): Promise<string | undefined> {
  const row = await rowOf(db, key).first<{ sealed: Buffer } | undefined>('sealed');
  return row && unseal(keyring, row.sealed, identityOf(key)).toString();
}

export async function isInCubbyhole(db: Database, key: CubbyholeKey): Promise<boolean> {
  return (await rowOf(db, key).first('path')) !== undefined;
}

/**
 * Stores a value. `check` throws if the token would then have too much; writes of one token wait for each other, so
 * that they cannot pass it together. False if the token is gone.
 */
export async function writeCubbyhole(
  db: Database,
  keyring: Keyring,
  { key, json, check }: { key: CubbyholeKey; json: string; check: (usage: Usage) => void },
): Promise<boolean> {
  const sealed = seal(keyring, json, identityOf(key));
  return db.transaction(async (transaction) => {
    if (!(await lockToken(transaction, key.tokenId))) return false;
    const row = { token_id: key.tokenId, path: key.path, sealed };
    await transaction('cubbyhole').insert(row).onConflict(['token_id', 'path']).merge();
    const { rows } = await transaction.raw<{ rows: Usage[] }>(
      `SELECT count(*)::int AS entries, coalesce(sum(octet_length(path) + octet_length(sealed)), 0)::int AS bytes
       FROM cubbyhole WHERE token_id = ?`,
      [key.tokenId],
    );
    check(rows[0] ?? { entries: 0, bytes: 0 });
    return true;
  });
}

export async function deleteFromCubbyhole(db: Database, key: CubbyholeKey): Promise<void> {
  await rowOf(db, key).delete();
}

/** The names of the direct children of a folder (empty: of everything), in byte order; folders end in a slash. */
export async function listCubbyhole(db: Database, { tokenId, path }: CubbyholeKey): Promise<string[]> {
  const prefix = path === '' ? '' : `${path}/`;
  const rows = await db('cubbyhole')
    .where({ token_id: tokenId })
    .whereRaw('starts_with(path, ?)', [prefix])
    .orderBy('path')
    .pluck<string[]>('path');
  const names = rows.map((found) => found.slice(prefix.length).replace(/\/.*$/s, '/'));
  return [...new Set(names)];
}

function rowOf(db: Database, { tokenId, path }: CubbyholeKey) {
  return db('cubbyhole').where({ token_id: tokenId, path });
}

function identityOf({ tokenId, path }: CubbyholeKey): string {
  return `cubbyhole/${tokenId}/${path}`;
}
