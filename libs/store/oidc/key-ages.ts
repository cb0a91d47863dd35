import type { Database } from '../../db/connect.ts';

/** How many signing keys verify, and how old the one that signs is, in seconds; null before the first is made. */
export async function readSigningKeyAge(db: Database): Promise<{ keys: number; seconds: number | null }> {
  const { rows } = await db.raw<{ rows: { keys: number; seconds: number | null }[] }>(
    `SELECT count(*)::int AS keys, extract(epoch FROM now() - max(created_at))::float8 AS seconds FROM oidc_keys`,
  );
  return rows[0] ?? { keys: 0, seconds: null };
}
