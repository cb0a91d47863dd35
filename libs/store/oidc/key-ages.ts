import type { Database } from '../../db/connect.ts';

/** A key that verifies tokens. `replaced_at`: since when another one signs in its place; null: it signs now. */
export type VerifyingKey = { kid: string; created_at: Date; replaced_at: Date | null };

/** The keys that verify tokens, newest first. */
export async function listVerifyingKeys(db: Database): Promise<VerifyingKey[]> {
  const { rows } = await db.raw<{ rows: VerifyingKey[] }>(
    `SELECT kid, created_at, lead(created_at) OVER (ORDER BY id) AS replaced_at FROM oidc_keys ORDER BY id DESC`,
  );
  return rows;
}

/** The number of keys that verify, and the age of the signing key in seconds; null before the first key exists. */
export async function readSigningKeyAge(db: Database): Promise<{ keys: number; seconds: number | null }> {
  const { rows } = await db.raw<{ rows: { keys: number; seconds: number | null }[] }>(
    `SELECT count(*)::int AS keys, extract(epoch FROM now() - max(created_at))::float8 AS seconds FROM oidc_keys`,
  );
  return rows[0] ?? { keys: 0, seconds: null };
}
