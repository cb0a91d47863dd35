import { randomBytes } from 'node:crypto';
import type { FakeReply, Refusal } from '../fake-server.ts';

const DOCS = 'https://docs.github.com/rest';
const LIMIT_DOCS = `${DOCS}/using-the-rest-api/rate-limits-for-the-rest-api`;

/** The state of the calling user's hourly limit. */
type Allowance = { limit: number; used: number; resetsAt: number };

/** A refusal in the store's form: message, address of the manual, status as a string. */
export function fault(status: number, message: string, headers: Record<string, string> = {}): FakeReply {
  return { status, headers, body: { message, documentation_url: DOCS, status: String(status) } };
}

export const badCredentials = () => fault(401, 'Bad credentials');
/** After too many calls with bad tokens, the store refuses the user's good tokens too for a while. */
export const tooManyLogins = () =>
  fault(403, 'Maximum number of login attempts exceeded. Please try again later.');
export function unsupportedVersion(version: string, supported: string[]): FakeReply {
  const [newest, ...older] = supported.toReversed().map((one) => `"${one}"`);
  const list = [`${newest} (most recent)`, ...older].join(', ');
  return fault(
    400,
    `The version you specified in the "X-GitHub-API-Version" request header, "${version}", is not a supported version. The following versions are currently supported: ${list}.`,
  );
}

export const notFound = () => fault(404, 'Not Found');

/** A fine-grained token lacks the permission; the header names the permissions that would suffice. */
export function forbidden(permission: string): FakeReply {
  return fault(403, 'Resource not accessible by personal access token', {
    'x-accepted-github-permissions': permission,
  });
}

/** The hourly limit is used up. Only the counters in the headers show when it ends. */
export function primaryLimit(resetsAt: number): FakeReply {
  return {
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetsAt) },
    body: { message: 'API rate limit exceeded for user ID 1.', documentation_url: LIMIT_DOCS },
  };
}

/** Too many writes in a short time. Without a number of seconds, only the text distinguishes it from missing permission. */
export function secondaryLimit(status: number, seconds?: number): FakeReply {
  return {
    status,
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
    body: {
      message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      documentation_url: `${LIMIT_DOCS}#about-secondary-rate-limits`,
    },
  };
}

/** Turns the base's refusal into the store's reply. A throttle with code `primary` is the hourly limit. */
export function writeRefusal(refusal: Refusal): FakeReply {
  const { status, retryAfterSeconds } = refusal;
  if (refusal.kind === 'revoked') return badCredentials();
  if (refusal.kind === 'throttle') {
    if (refusal.code !== 'primary') return secondaryLimit(status ?? 429, retryAfterSeconds);
    return primaryLimit(Math.floor(Date.now() / 1000) + (retryAfterSeconds ?? 60));
  }
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return fault(status ?? 500, refusal.code ?? 'Server Error', headers);
}

/** Adds the headers of every reply; headers that the reply already has stay. */
export function withCommonHeaders(reply: FakeReply, allowance: Allowance): FakeReply {
  const { limit, used, resetsAt } = allowance;
  return {
    ...reply,
    headers: {
      'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-used': String(used),
      'x-ratelimit-remaining': String(Math.max(0, limit - used)),
      'x-ratelimit-reset': String(resetsAt),
      'x-ratelimit-resource': 'core',
      ...reply.headers,
    },
  };
}
