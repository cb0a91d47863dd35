import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { readJson, type FakeReply, type FakeRequest } from '../fake-server.ts';
import { fault, notFound } from './replies.ts';
import type { Grant, Level } from './tokens.ts';

/** An installation of an app; `repositories` are `owner/name`, absent: all. */
type Installation = {
  id: number;
  repositories?: string[];
  permissions: Record<string, Level>;
  suspended?: boolean;
};

/** `publicKey` as PEM; absent: the app has no key any more. */
type App = { id: number; publicKey?: string; installations: Installation[] };

type Claims = { iss?: unknown; iat?: unknown; exp?: unknown };

type Issued = { token: string; grant: Grant; from: number; until: number };

const HOUR_MS = 3_600_000;
const LONGEST_SECONDS = 600;

/** The apps of the store. Tokens of installations have 40 or about 520 letters, in turns. */
export function createApps() {
  let apps: App[] = [];
  let issued: Issued[] = [];
  let lifeMs = HOUR_MS;
  let settlingMs = 0;

  function find(claims: Claims): App | undefined {
    return apps.find(({ id }) => String(id) === String(claims.iss));
  }

  function signIn(request: FakeRequest, installationId: string): FakeReply {
    const [, jwt = ''] = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const claims = readClaims(jwt);
    if (!claims) return fault(401, 'A JSON web token could not be decoded');
    const app = find(claims);
    if (!app) return fault(404, 'Integration not found');
    if (!app.publicKey || !isSigned(jwt, app.publicKey))
      return fault(401, 'A JSON web token could not be decoded');
    const wrong = findWrongTime(claims);
    if (wrong) return fault(401, wrong);
    const installation = app.installations.find(({ id }) => String(id) === installationId);
    if (!installation) return notFound();
    if (installation.suspended) return fault(403, 'This installation has been suspended');
    return issue(request, installation);
  }

  function issue(request: FakeRequest, { repositories, permissions }: Installation): FakeReply {
    const wanted = readJson(request) as { repositories?: string[]; permissions?: Record<string, Level> };
    const names = repositories?.map((fullName) => fullName.split('/')[1]);
    if (wanted.repositories?.some((name) => names && !names.includes(name)))
      return fault(
        422,
        'There is at least one repository that does not exist or is not accessible to the parent installation.',
      );
    const given = wanted.permissions ?? permissions;
    const granted: Record<string, Level> = { metadata: 'read', ...permissions };
    if (Object.entries(given).some(([name, level]) => !covers(granted[name], level)))
      return fault(422, 'The permissions requested are not granted to this installation.');
    const now = Date.now();
    const until = now + lifeMs;
    const token = newToken(issued.length);
    const seen = repositories?.filter(
      (name) => !wanted.repositories || wanted.repositories.includes(name.split('/')[1] ?? ''),
    );
    const narrowed = seen ?? wanted.repositories?.map((name) => `acme/${name}`);
    issued.push({
      token,
      from: now + settlingMs,
      until,
      grant: { permissions: given, ...(narrowed ? { repositories: narrowed } : {}) },
    });
    const body = { token, expires_at: new Date(until).toISOString(), permissions: given };
    return { status: 201, body };
  }

  return {
    signIn,
    /** Adds an app, or replaces the one with its number. */
    put: (app: App): void => void (apps = [...apps.filter(({ id }) => id !== app.id), app]),
    /** How long tokens that are issued from now on are good. */
    lasting: (milliseconds: number): void => void (lifeMs = milliseconds),
    /** How long the store refuses tokens that are issued from now on, until all its machines know them. */
    settling: (milliseconds: number): void => void (settlingMs = milliseconds),
    /** Every token that was issued, the newest last. */
    tokens: (): string[] => issued.map(({ token }) => token),
    /** Makes every token that was issued worthless. */
    revokeAll: (): void => issued.forEach((one) => (one.until = 0)),
    grantOf: (token: string): Grant | undefined =>
      issued.find(({ token: one, from, until }) => one === token && from <= Date.now() && until > Date.now())
        ?.grant,
    reset(): void {
      apps = [];
      issued = [];
      lifeMs = HOUR_MS;
      settlingMs = 0;
    },
  };
}

function covers(given: Level | undefined, wanted: Level): boolean {
  return given === 'write' || given === wanted;
}

function newToken(count: number): string {
  const letters = count % 2 === 0 ? 36 : 516;
  return `ghs_${randomBytes(letters).toString('base64url').slice(0, letters)}`;
}

function readClaims(jwt: string): Claims | undefined {
  const [header = '', payload = '', signature] = jwt.split('.');
  try {
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown };
    if (alg !== 'RS256' || !signature) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  } catch {
    return undefined;
  }
}

function isSigned(jwt: string, publicKey: string): boolean {
  const end = jwt.lastIndexOf('.');
  const signature = Buffer.from(jwt.slice(end + 1), 'base64url');
  return verify('RSA-SHA256', Buffer.from(jwt.slice(0, end)), createPublicKey(publicKey), signature);
}

function findWrongTime({ iat, exp }: Claims): string | undefined {
  const now = Date.now() / 1000;
  if (typeof exp !== 'number' || exp > now + LONGEST_SECONDS)
    return "'Expiration time' claim ('exp') is too far in the future";
  if (exp <= now)
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time";
  if (typeof iat !== 'number' || iat > now || exp - iat > LONGEST_SECONDS)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  return undefined;
}
