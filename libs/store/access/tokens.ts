import { fingerprint, randomId, randomToken } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { marked } from './token-marks.ts';
import { prepared } from '../../db/prepared.ts';

const PREFIX = 'slt.';

/** A token without its secret, as the database knows it. A time is null if there is none. */
export type Token = {
  id: number;
  accessor: string;
  namespace_id: string;
  namespace_path: string;
  parent_id: number | null;
  display_name: string;
  policies: string[];
  meta: Record<string, string> | null;
  renewable: boolean;
  ttl_seconds: number;
  explicit_max_ttl_seconds: number;
  /** Each renewal extends the token by this time; 0: the token is not periodic. */
  period_seconds: number;
  /** Null: any number of uses. */
  uses_left: number | null;
  /** Networks from which it may be used; empty: everywhere. */
  bound_cidrs: string[];
  /** Whether it may read values of secrets; false if it was made in a browser session. */
  reads_values: boolean;
  /** The role it was created with. */
  role: string | null;
  /** The path of the request that created it. */
  path: string;
  created_at: Date;
  expires_at: Date | null;
  /** Seconds until `expires_at` at the time of the read, by Postgres' clock, which also decides when the token ends. */
  remaining_seconds: number | null;
  /** The earliest expiry of the token and of all tokens above it: its parent, the parent's parent, and so on. */
  ends_at: Date | null;
  last_used_at: Date | null;
  /** The person who logged in and got this token, or a token above it; null if there is none. */
  username: string | null;
};

export type NewToken = {
  namespaceId: string;
  parentId: number | null;
  displayName: string;
  policies: string[];
  meta?: Record<string, string> | null;
  renewable: boolean;
  /** 0: never expires. */
  ttlSeconds: number;
  /** 0: no limit to renewals. */
  explicitMaxTtlSeconds: number;
  periodSeconds?: number;
  /** Null or absent: any number. */
  uses?: number | null;
  boundCidrs?: string[];
  readsValues?: boolean;
  role?: string | null;
  path?: string;
  /** Absent: a random one. */
  accessor?: string;
};

/** The display name of a token that a person gets by single sign-on. Other tokens never have such a name. */
export function personName(username: string): string {
  return `saml-${username}`;
}

/** Whether the token is the one that a person got by single sign-on, and not one that was made with it. */
export function isOfPerson({ display_name, username }: Pick<Token, 'display_name' | 'username'>): boolean {
  return username !== null && display_name === personName(username);
}

/** A new accessor. */
export function newAccessor(): string {
  return randomId(24);
}

/** SQL for the live tokens. A token ends when any token above it ends: its parent, the parent's parent, and so on. */
export const LIVE_TOKENS = `
SELECT t.id, t.accessor, t.namespace_id, n.path AS namespace_path, t.parent_id, t.display_name, t.policies, t.meta,
  t.renewable, t.ttl_seconds, t.explicit_max_ttl_seconds, t.period_seconds, t.uses_left, t.bound_cidrs, t.role, t.reads_values,
  t.path, t.created_at, t.expires_at,
  extract(epoch FROM t.expires_at - now())::float8 AS remaining_seconds, lifetime.ends_at, t.last_used_at,
  lifetime.username
FROM tokens t JOIN namespaces n ON n.id = t.namespace_id
CROSS JOIN LATERAL (
  WITH RECURSIVE line AS (
    SELECT t.parent_id, t.expires_at, t.display_name
    UNION ALL
    SELECT p.parent_id, p.expires_at, p.display_name FROM line JOIN tokens p ON p.id = line.parent_id)
  SELECT min(expires_at) AS ends_at,
    min(substr(display_name, 6)) FILTER (WHERE display_name LIKE 'saml-%') AS username
  FROM line) lifetime
WHERE (lifetime.ends_at IS NULL OR lifetime.ends_at > now()) AND t.uses_left IS DISTINCT FROM 0`;

/** Whether a text may be a token of ours, by how it begins. */
export function looksIssued(secret: string): boolean {
  return secret.startsWith(PREFIX);
}

/** Stores only a keyed hash; the returned secret can never be shown again. */
export async function createToken(
  db: Database,
  hashKey: Buffer,
  token: NewToken,
): Promise<{ secret: string; accessor: string }> {
  const secret = marked(hashKey, `${PREFIX}${randomToken()}`);
  const accessor = token.accessor ?? newAccessor();
  await db('tokens').insert({
    hash: hashToken(hashKey, secret),
    accessor,
    namespace_id: token.namespaceId,
    parent_id: token.parentId,
    display_name: token.displayName,
    policies: token.policies,
    meta: token.meta ?? null,
    renewable: token.renewable,
    ttl_seconds: token.ttlSeconds,
    explicit_max_ttl_seconds: token.explicitMaxTtlSeconds,
    period_seconds: token.periodSeconds ?? 0,
    uses_left: token.uses ?? null,
    bound_cidrs: token.boundCidrs ?? [],
    reads_values: token.readsValues ?? true,
    role: token.role ?? null,
    ...(token.path === undefined ? {} : { path: token.path }),
    expires_at: token.ttlSeconds > 0 ? db.raw("now() + ? * interval '1 second'", [token.ttlSeconds]) : null,
  });
  return { secret, accessor };
}

/** A live token by its secret; undefined for an unknown or expired one. */
export async function findTokenBySecret(
  db: Database,
  hashKey: Buffer,
  secret: string,
): Promise<Token | undefined> {
  const [token] = await prepared<Token>(db, `${LIVE_TOKENS} AND t.hash = ?`, [hashToken(hashKey, secret)]);
  return token;
}

/** A token that has expired, is used up, or whose parent has. */
export type EndedToken = Pick<Token, 'accessor' | 'display_name' | 'policies'>;

/** A token that was known, by its secret, whether or not it is live. */
export async function findEndedToken(
  db: Database,
  hashKey: Buffer,
  secret: string,
): Promise<EndedToken | undefined> {
  const [token] = await prepared<EndedToken>(
    db,
    'SELECT accessor, display_name, policies FROM tokens WHERE hash = ?',
    [hashToken(hashKey, secret)],
  );
  return token;
}

/** A live token by its accessor. */
export async function findTokenByAccessor(db: Database, accessor: string): Promise<Token | undefined> {
  const [token] = await prepared<Token>(db, `${LIVE_TOKENS} AND t.accessor = ?`, [accessor]);
  return token;
}

/**
 * Extends a token to `seconds` from now, but not beyond its explicit maximum, and `most` seconds after it was made. Returns
 * the renewed token; undefined if it was revoked meanwhile.
 */
export async function renewToken(
  db: Database,
  token: Token,
  { seconds, most }: { seconds: number; most?: number | undefined },
): Promise<Token | undefined> {
  await db('tokens')
    .where({ id: token.id })
    .update({
      expires_at: db.raw(
        `least(now() + ? * interval '1 second',
           created_at + nullif(explicit_max_ttl_seconds, 0) * interval '1 second',
           created_at + ?::bigint * interval '1 second')`,
        [seconds, most ?? null],
      ),
    });
  return findTokenByAccessor(db, token.accessor);
}

/**
 * Counts one use of a token with limited uses. Returns how many are left; undefined if none was left before. It is one
 * statement: if many requests come at once, to any replicas, no more get through than the limit allows.
 */
export async function spendUse(db: Database, id: number): Promise<number | undefined> {
  const rows: { uses_left: number }[] = await db('tokens')
    .where({ id })
    .where('uses_left', '>', 0)
    .update({ uses_left: db.raw('uses_left - 1') })
    .returning('uses_left');
  return rows[0]?.uses_left;
}

/** Holds a token until the end of the transaction, so that what it stores is counted one after the other. False: it is gone. */
export async function lockToken(transaction: Database, id: number): Promise<boolean> {
  return (await transaction('tokens').where({ id }).forNoKeyUpdate().first('id')) !== undefined;
}

/** Revokes only this token: its child tokens live on without a parent. */
export async function deleteTokenOnly(db: Database, id: number): Promise<void> {
  await transact(db, async (transaction) => {
    // The lock prevents that a child token is created meanwhile.
    await transaction('tokens').where({ id }).forUpdate().select('id');
    await transaction('tokens').where({ parent_id: id }).update({ parent_id: null });
    await deleteToken(transaction, id);
  });
}

/** Revokes a token and all tokens below it. */
export async function deleteToken(db: Database, id: number): Promise<void> {
  await db('tokens').where({ id }).delete();
}

/** Records the use of a token, at most once a minute. */
export async function touchToken(db: Database, token: Token): Promise<void> {
  if (token.last_used_at && Date.now() - token.last_used_at.getTime() < 60_000) return;
  await db('tokens').where({ id: token.id }).update({ last_used_at: db.fn.now() });
}

/** The keyed hash that a token is looked up by. */
export function hashToken(hashKey: Buffer, secret: string): Buffer {
  return fingerprint(hashKey, 'token', secret);
}
