import { ConnectorError, type FailureKind } from '../../../libs/connector/errors.ts';
import { readWaitMs, type Headers } from './waits.ts';

/** What the store answered, as far as a failure is told from it. */
export type Answer = {
  status: number;
  headers: Headers;
  /** The store's own words: a secondary limit may be told by nothing else. Never shown. */
  text: string;
};

type Row = {
  fits: (answer: Answer) => boolean;
  kind: FailureKind;
  code: string;
  scope: 'entry' | 'destination';
  final?: boolean;
  message: (place: string, answer: Answer) => string;
};

const status =
  (...wanted: number[]) =>
  (answer: Answer) =>
    wanted.includes(answer.status);

const refusedForLimit = (answer: Answer) =>
  answer.status === 429 ||
  (answer.status === 403 &&
    (answer.headers['retry-after'] !== undefined ||
      answer.headers['x-ratelimit-remaining'] === '0' ||
      /rate.limit|abuse detection/i.test(answer.text)));

/** Every failure the store documents for these calls; the first row that fits says what it means. */
const TABLE: Row[] = [
  {
    fits: refusedForLimit,
    kind: 'throttled',
    code: 'rate_limited',
    scope: 'destination',
    message: () => 'GitHub asked to wait: the rate limit of the token is used up.',
  },
  {
    // Of the whole user, for wrong tokens of anybody's: it passes by itself.
    fits: (answer) => answer.status === 403 && /login attempts exceeded/i.test(answer.text),
    kind: 'throttled',
    code: 'sign_in_closed',
    scope: 'destination',
    message: () =>
      'GitHub takes no token of this user for a while: too many calls were made with wrong ones; it is tried again.',
  },
  {
    fits: status(301, 302, 307, 308),
    kind: 'client',
    code: 'repository_moved',
    scope: 'destination',
    message: (place) =>
      `GitHub answers that ${place} is at another address, to which the token is not sent; set repository_owner and repository_name (or enterprise_url) to the present one.`,
  },
  {
    fits: status(401),
    kind: 'client',
    code: 'bad_credentials',
    scope: 'destination',
    message: () => 'GitHub does not accept the access_token: it is wrong, expired or revoked; set a new one.',
  },
  {
    fits: (answer) => answer.status === 403 && answer.headers['x-github-sso'] !== undefined,
    kind: 'client',
    code: 'single_sign_on_required',
    scope: 'destination',
    message: (place) =>
      `The access_token is not authorised for the single sign-on of the organization that owns ${place}; authorise it there.`,
  },
  {
    fits: status(403),
    kind: 'client',
    code: 'permission_missing',
    scope: 'destination',
    message: (place, answer) =>
      `The access_token lacks ${namePermission(answer)} on ${place}, or the repository is archived or blocked.`,
  },
  {
    fits: status(404),
    kind: 'client',
    code: 'repository_not_found',
    scope: 'destination',
    message: (place) => `${place} does not exist, or the access_token may not see it.`,
  },
  {
    fits: status(413),
    kind: 'client',
    code: 'value_too_large',
    final: true,
    scope: 'entry',
    message: () => 'GitHub refused the secret as too large; it takes 48 KB.',
  },
  {
    fits: status(400, 422),
    kind: 'client',
    code: 'secret_refused',
    scope: 'entry',
    message: (place) => `GitHub refused the secret in ${place}: its name or its value is not acceptable.`,
  },
  {
    fits: status(451),
    kind: 'client',
    code: 'repository_blocked',
    scope: 'destination',
    message: (place) => `GitHub has blocked ${place}.`,
  },
  {
    fits: status(408, 409, 423),
    kind: 'external',
    code: 'store_busy',
    scope: 'entry',
    message: () => 'GitHub could not finish the call just now.',
  },
  {
    fits: status(502, 503, 504),
    kind: 'external',
    code: 'store_unavailable',
    scope: 'destination',
    message: (_place, answer) => `GitHub is not available (HTTP ${answer.status}).`,
  },
  {
    fits: (answer) => answer.status >= 500,
    kind: 'external',
    code: 'store_error',
    scope: 'entry',
    message: (_place, answer) => `GitHub failed (HTTP ${answer.status}).`,
  },
  {
    fits: (answer) => answer.status >= 400,
    kind: 'client',
    code: 'call_refused',
    scope: 'entry',
    message: (place, answer) => `GitHub refused the call on ${place} (HTTP ${answer.status}).`,
  },
];

/** An answer that is no success, as the decision it means. `place` is shown to people. */
export function describeAnswer(answer: Answer, place: string): ConnectorError {
  const row = TABLE.find(({ fits }) => fits(answer));
  const requestId = readRequestId(answer.headers);
  const shared = requestId === undefined ? {} : { requestId };
  if (!row) {
    return new ConnectorError({
      ...shared,
      kind: 'external',
      code: 'unexpected_answer',
      message: `Something other than GitHub's API answered (HTTP ${answer.status}); a proxy may stand between.`,
    });
  }
  const waitMs = row.kind === 'client' ? undefined : readWaitMs(answer.headers, row.kind === 'throttled');
  return new ConnectorError({
    ...shared,
    kind: row.kind,
    code: row.code,
    scope: row.scope,
    final: row.final ?? false,
    message: row.message(place, answer),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** The permission the store names in its header, such as `secrets: write`; nothing else of the header is shown. */
function namePermission(answer: Answer): string {
  const header = String(answer.headers['x-accepted-github-permissions'] ?? '');
  const [, name, level] = /^([a-z_]{1,40})=([a-z]{1,10})/.exec(header) ?? [];
  return name && level ? `"${name}: ${level}"` : 'the permission to write secrets';
}

function readRequestId(headers: Headers): string | undefined {
  const id = String(headers['x-github-request-id'] ?? '');
  return /^[\w:.-]{1,100}$/.test(id) ? id : undefined;
}
