import { fingerprint, randomToken } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { LIVE_TOKENS, type Token } from './tokens.ts';

const PREFIX = 'sls.';
const TOUCH_MS = 60_000;

/** A session ends this long after its last use, and this long after its start. */
export const SESSION_IDLE_SECONDS = 30 * 60;
export const SESSION_SECONDS = 12 * 60 * 60;

/** Where a session began: the words for its browser and system, and its address; null: unknown. */
export type SessionOrigin = { browser: string | null; system: string | null; address: string | null };

/** A browser's session. It acts for a token; the browser does not keep the token's secret. */
export type BrowserSession = SessionOrigin & {
  id: number;
  accessor: string;
  created_at: Date;
  last_used_at: Date;
};

/** SQL for the live ones of the sessions `s`. */
export const IS_LIVE_SESSION = `s.last_used_at > now() - interval '${SESSION_IDLE_SECONDS} seconds'
  AND s.created_at > now() - interval '${SESSION_SECONDS} seconds'`;

// A token of several people has some; more than these nobody uses.
const MOST_OF_TOKEN = 50;

/**
 * Stores only a keyed hash; the returned secret can never be shown again. Also deletes ended sessions, and those of the
 * token that were used least lately if it has more than 50.
 */
export async function createSession(
  db: Database,
  hashKey: Buffer,
  { tokenId, browser, system, address }: SessionOrigin & { tokenId: number },
): Promise<string> {
  const secret = `${PREFIX}${randomToken()}`;
  await db.raw(`DELETE FROM sessions s WHERE NOT (${IS_LIVE_SESSION})`);
  await db('sessions').insert({
    hash: hashSession(hashKey, secret),
    token_id: tokenId,
    browser,
    system,
    address,
  });
  await db.raw(
    `DELETE FROM sessions WHERE token_id = :tokenId AND id NOT IN (
       SELECT id FROM sessions WHERE token_id = :tokenId ORDER BY last_used_at DESC, id DESC LIMIT ${MOST_OF_TOKEN})`,
    { tokenId },
  );
  return secret;
}

/** A live session by its secret; undefined for an unknown or ended one. */
export async function findSession(
  db: Database,
  hashKey: Buffer,
  secret: string,
): Promise<BrowserSession | undefined> {
  const [session] = await prepared<BrowserSession>(
    db,
    `SELECT s.id, t.accessor, s.created_at, s.last_used_at, s.browser, s.system, s.address
     FROM sessions s JOIN tokens t ON t.id = s.token_id WHERE s.hash = ? AND ${IS_LIVE_SESSION}`,
    [hashSession(hashKey, secret)],
  );
  return session;
}

/** Records the use of a session, at most once a minute. */
export async function touchSession(db: Database, session: BrowserSession): Promise<void> {
  if (Date.now() - session.last_used_at.getTime() < TOUCH_MS) return;
  await db('sessions').where({ id: session.id }).update({ last_used_at: db.fn.now() });
}

export async function deleteSession(db: Database, id: number): Promise<void> {
  await db('sessions').where({ id }).delete();
}

/** A session with its token. */
export type ListedSession = Omit<BrowserSession, 'accessor'> & {
  token: Pick<Token, 'accessor' | 'display_name' | 'policies' | 'ends_at'>;
};

type Row = Omit<BrowserSession, 'id'> & Token & { session_id: number; began_at: Date; session_used_at: Date };

/** Where a session stands in the list. `usedMs`: when it was used last, in milliseconds since 1970. */
export type SessionPlace = { usedMs: number; id: number };

type Wanted = { namespaceId: string; tokenId?: number | undefined };

const LIVE_SESSIONS = `SELECT s.id AS session_id, s.created_at AS began_at, s.last_used_at AS session_used_at,
  s.browser, s.system, s.address, token.*
  FROM sessions s JOIN (${LIVE_TOKENS}) token ON token.id = s.token_id
  WHERE ${IS_LIVE_SESSION} AND token.namespace_id = ? AND token.id = coalesce(?::bigint, token.id)`;

// A place holds no parts of a millisecond.
const USED_AT = `date_trunc('milliseconds', s.last_used_at)`;

/**
 * The live sessions of the tokens of one namespace, or of one token if `tokenId` is given, after a place. The last used
 * comes first.
 */
export async function listSessions(
  db: Database,
  { namespaceId, tokenId }: Wanted,
  { after, limit }: { after: SessionPlace | undefined; limit: number },
): Promise<ListedSession[]> {
  const isAfter = after ? `AND (${USED_AT}, s.id) < (to_timestamp(?::float8 / 1000), ?::bigint)` : '';
  const rows = await prepared<Row>(
    db,
    `${LIVE_SESSIONS} ${isAfter} ORDER BY ${USED_AT} DESC, s.id DESC LIMIT ?`,
    [namespaceId, tokenId ?? null, ...(after ? [after.usedMs, after.id] : []), limit],
  );
  return rows.map(listedOf);
}

/** One of these sessions; undefined if it is none of them, or ended. */
export async function findListedSession(
  db: Database,
  { namespaceId, tokenId, id }: Wanted & { id: number },
): Promise<ListedSession | undefined> {
  const values = [namespaceId, tokenId ?? null, id];
  const [row] = await prepared<Row>(db, `${LIVE_SESSIONS} AND s.id = ?`, values);
  return row && listedOf(row);
}

function listedOf({ session_id: id, began_at, session_used_at, ...row }: Row): ListedSession {
  const { browser, system, address, ...token } = row;
  return { id, created_at: began_at, last_used_at: session_used_at, browser, system, address, token };
}

function hashSession(hashKey: Buffer, secret: string): Buffer {
  return fingerprint(hashKey, 'session', secret);
}
