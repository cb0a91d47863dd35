import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { JWK, SigningKey } from '../../crypto/signing-key.ts';
import type { Database } from '../../db/connect.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROTATE_AFTER_MS = 90 * DAY_MS;
const TRIM_AFTER_MS = 30 * DAY_MS;

type Timers = { last_rotated_at: Date | null; superseded_at: Date | null; last_trimmed_at: Date | null };

type Row = { kid: string; public_jwk: JWK; sealed_private_jwk: Buffer; age_ms: number | null };

/** The key that signs now; `ageMs`: how long ago it replaced another one; null if it is the first. */
export type PresentSigningKey = { kid: string; privateJwk: JWK; ageMs: number | null };

/** When maintenance of the signing keys is due; null if none is planned. */
export type KeySchedule = { rotateAt: Date | null; trimAt: Date | null };

/** Public keys that verify tokens, newest first. */
export async function listPublicKeys(db: Database): Promise<JWK[]> {
  const rows: { public_jwk: JWK }[] = await db('oidc_keys').orderBy('id', 'desc').select('public_jwk');
  return rows.map((row) => row.public_jwk);
}

/** The key that signs now, which is the newest; undefined if there is none yet. */
export async function findSigningKey(db: Database, keyring: Keyring): Promise<PresentSigningKey | undefined> {
  const age = db.raw(`CASE WHEN (SELECT count(*) FROM oidc_keys) > 1 OR
      EXISTS (SELECT FROM oidc_timers WHERE last_trimmed_at IS NOT NULL)
    THEN (extract(epoch FROM now() - created_at) * 1000)::float8 END AS age_ms`);
  const row: Row | undefined = await db('oidc_keys').orderBy('id', 'desc').first('*', age);
  if (!row) return undefined;
  const { kid, sealed_private_jwk: sealed, age_ms: ageMs } = row;
  const privateJwk = JSON.parse(unseal(keyring, sealed, identityOf(kid)).toString()) as JWK;
  return { kid, privateJwk, ageMs };
}

/**
 * When rotation and trim are due. Rotation: 90 days after the last one. Trim: 30 days after the first rotation that left
 * an old key; later rotations do not delay it. A trim stops that timer until the next rotation.
 */
export async function readKeySchedule(db: Database): Promise<KeySchedule> {
  return scheduleOf(await db<Timers>('oidc_timers').first());
}

/**
 * Adds a key, in a transaction; it signs from the commit on. False if `onlyIfDue` is set and rotation is not due. A trim
 * timer that is running does not change.
 */
export async function rotateSigningKey(
  transaction: Database,
  options: { keyring: Keyring; key: SigningKey; now: Date; onlyIfDue?: boolean },
): Promise<boolean> {
  const { keyring, key, now, onlyIfDue } = options;
  const timers = await lockTimers(transaction, now);
  const { rotateAt } = scheduleOf(timers);
  if (onlyIfDue && rotateAt !== null && rotateAt > now) return false;
  const present: { kid: string } | undefined = await transaction('oidc_keys').first('kid');
  await transaction('oidc_keys').insert({
    kid: key.kid,
    public_jwk: JSON.stringify(key.publicJwk),
    sealed_private_jwk: seal(keyring, JSON.stringify(key.privateJwk), identityOf(key.kid)),
    created_at: now,
  });
  await transaction('oidc_timers').update({
    last_rotated_at: now,
    superseded_at: timers.superseded_at ?? (present ? now : null),
  });
  return true;
}

/**
 * Removes every key except the newest, in a transaction. Returns the ids of the removed keys; empty if there are none, or
 * if `onlyIfDue` is set and the trim is not due. The rotation timer does not change.
 */
export async function trimSigningKeys(
  transaction: Database,
  options: { now: Date; onlyIfDue?: boolean },
): Promise<string[]> {
  const { trimAt } = scheduleOf(await lockTimers(transaction, options.now));
  if (options.onlyIfDue && (trimAt === null || trimAt > options.now)) return [];
  const removed: { kid: string }[] = await transaction('oidc_keys')
    .where('id', '<', transaction('oidc_keys').max('id'))
    .delete(['kid']);
  await transaction('oidc_timers').update({ superseded_at: null, last_trimmed_at: options.now });
  return removed.map((row) => row.kid);
}

/**
 * Adds the first key, in a transaction; false if there is one already. If several replicas call this at once, only one
 * adds the key.
 */
export async function addFirstSigningKey(
  transaction: Database,
  options: { keyring: Keyring; key: SigningKey; now: Date },
): Promise<boolean> {
  await lockTimers(transaction, options.now);
  if (await transaction('oidc_keys').first('kid')) return false;
  return rotateSigningKey(transaction, options);
}

// Timers in the future come from a clock that was set back since; they restart now. Otherwise nothing would be due until
// that time.
async function lockTimers(transaction: Database, now: Date): Promise<Timers> {
  for (const column of ['last_rotated_at', 'superseded_at'])
    await transaction('oidc_timers')
      .where(column, '>', now)
      .update({ [column]: now });
  const timers: Timers | undefined = await transaction<Timers>('oidc_timers').forUpdate().first();
  if (!timers) throw new Error('the timers of the signing key are missing');
  return timers;
}

function scheduleOf(timers: Timers | undefined): KeySchedule {
  const after = (since: Date | null | undefined, milliseconds: number) =>
    since ? new Date(since.getTime() + milliseconds) : null;
  return {
    rotateAt: after(timers?.last_rotated_at, ROTATE_AFTER_MS),
    trimAt: after(timers?.superseded_at, TRIM_AFTER_MS),
  };
}

function identityOf(kid: string): string {
  return `oidc_keys/${kid}`;
}
