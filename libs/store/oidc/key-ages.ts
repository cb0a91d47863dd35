import type { Database } from '../../db/connect.ts';

/** The number of keys that verify, and the age of the signing key in seconds; null before the first key exists. */
export async function readSigningKeyAge(db: Database): Promise<{ keys: number; seconds: number | null }> {
  const { rows } = await db.raw<{ rows: { keys: number; seconds: number | null }[] }>(
    `SELECT count(*)::int AS keys, extract(epoch FROM now() - max(created_at))::float8 AS seconds FROM oidc_keys`,
  );
  return rows[0] ?? { keys: 0, seconds: null };
}
