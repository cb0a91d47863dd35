import { ConnectorError, type FailureKind } from '../../../libs/connector/errors.ts';
import { asObject } from './rows.ts';
import { readLimitWaitMs, readRetryAfterMs } from './waits.ts';

/** What a call was about, as the messages name it. */
export type Purpose = 'read' | 'write';

/** What the store answered, as far as a failure is told from it; its own words are never shown. */
export type Answer = { status: number; headers: Headers; data: unknown; purpose: Purpose };

type Row = {
  fits: (answer: Answer, code: string) => boolean;
  kind: FailureKind;
  code: string;
  scope: 'entry' | 'destination';
  final?: boolean;
  message: (place: string, answer: Answer, code: string) => string;
};

const status =
  (...wanted: number[]) =>
  (answer: Answer) =>
    wanted.includes(answer.status);

const named =
  (...codes: string[]) =>
  (_answer: Answer, code: string) =>
    codes.includes(code.toUpperCase());

const flagged =
  (...flags: string[]) =>
  ({ status: code, data }: Answer) =>
    code === 403 && flags.some((flag) => readError(data)[flag] === true);

/** Every failure the store documents or is known to give for these calls; the first row that fits says what it means. */
const TABLE: Row[] = [
  {
    fits: (answer, code) => answer.status === 429 || code === 'rate_limited',
    kind: 'throttled',
    code: 'rate_limited',
    scope: 'destination',
    message: () => 'Vercel asked to wait: a rate limit of its API is used up.',
  },
  {
    fits: (answer, code) =>
      answer.status === 401 ||
      flagged('invalidToken', 'missingToken')(answer) ||
      code === 'not_authenticated',
    kind: 'client',
    code: 'bad_credentials',
    scope: 'destination',
    message: () => 'Vercel does not accept the access_token: it is wrong, expired or revoked; set a new one.',
  },
  {
    fits: named('ENV_ALREADY_EXISTS', 'ENV_CONFLICT', 'EXISTING_KEY_AND_TARGET'),
    kind: 'exists',
    code: 'name_taken',
    scope: 'entry',
    message: (place) => `A variable of this name exists already for an environment of ${place}.`,
  },
  {
    fits: named('RESERVED_ENV_VARIABLE', 'SYSTEM_ENV_WITH_VALUE'),
    kind: 'client',
    code: 'name_reserved',
    final: true,
    scope: 'entry',
    message: () => 'Vercel reserves this name; choose another with secret_name_template.',
  },
  {
    fits: status(402),
    kind: 'client',
    code: 'payment_required',
    scope: 'destination',
    message: (place) =>
      `Vercel refuses changes to ${place} until its account is paid or its plan allows more.`,
  },
  {
    fits: flagged('saml'),
    kind: 'client',
    code: 'team_access_missing',
    scope: 'destination',
    message: (place) =>
      `The access_token has no access to the team of ${place}: set team_id, or a token whose scope includes the team (with single sign-on, authorised for it).`,
  },
  {
    fits: status(403),
    kind: 'client',
    code: 'permission_missing',
    scope: 'destination',
    message: (place, { purpose }) =>
      `The access_token may not ${purpose} the environment variables of ${place}: it needs a role on the project (or its team) that can.`,
  },
  {
    fits: status(404, 410),
    kind: 'client',
    code: 'project_not_found',
    scope: 'destination',
    message: (place) =>
      `The project ${place} does not exist, or the access_token may not see it; check project_id and team_id.`,
  },
  {
    fits: status(413),
    kind: 'client',
    code: 'value_too_large',
    final: true,
    scope: 'entry',
    message: () => 'Vercel refused the variable as too large; all variables of a deployment share 64 KB.',
  },
  {
    fits: status(400, 422),
    kind: 'client',
    code: 'variable_refused',
    scope: 'entry',
    message: (place, _answer, code) =>
      `Vercel refused the variable in ${place}${spellCode(code)}: its name, its value or its environments are not acceptable.`,
  },
  {
    fits: status(408, 409, 423, 425),
    kind: 'external',
    code: 'store_busy',
    scope: 'entry',
    message: () => 'Vercel could not finish the call just now.',
  },
  {
    fits: status(502, 503, 504),
    kind: 'external',
    code: 'store_unavailable',
    scope: 'destination',
    message: (_place, answer) => `Vercel is not available (HTTP ${answer.status}).`,
  },
  {
    fits: (answer) => answer.status >= 500,
    kind: 'external',
    code: 'store_error',
    scope: 'entry',
    message: (_place, answer) => `Vercel failed (HTTP ${answer.status}).`,
  },
  {
    fits: (answer) => answer.status >= 400,
    kind: 'client',
    code: 'call_refused',
    scope: 'entry',
    message: (place, answer, code) =>
      `Vercel refused the call on ${place} (HTTP ${answer.status})${spellCode(code)}.`,
  },
  {
    fits: (answer) => answer.status >= 300,
    kind: 'external',
    code: 'redirected',
    scope: 'destination',
    message: () => 'The address answered with a redirect, to which the token is not sent; check the network.',
  },
];

/** An answer that is no success, as the decision it means. `place` is shown to people. */
export function describeAnswer(answer: Answer, place: string): ConnectorError {
  const error = readError(answer.data);
  const code = typeof error['code'] === 'string' ? error['code'] : '';
  const row = TABLE.find(({ fits }) => fits(answer, code));
  const requestId = readRequestId(answer.headers);
  if (!row) return unexpectedAnswer(requestId);
  const waitMs =
    row.kind === 'throttled'
      ? readLimitWaitMs(answer.headers, asObject(error['limit'])['reset'])
      : row.kind === 'external'
        ? readRetryAfterMs(answer.headers)
        : undefined;
  return new ConnectorError({
    kind: row.kind,
    code: row.code,
    scope: row.scope,
    final: row.final ?? false,
    message: row.message(place, answer, code),
    ...(requestId === undefined ? {} : { requestId }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** An answer with an expected status that is not what the store documents. */
export function unexpectedAnswer(requestId?: string): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'unexpected_answer',
    message: "Something other than Vercel's API answered; a proxy may stand between.",
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function readError(data: unknown): Record<string, unknown> {
  return asObject(asObject(data)['error']);
}

// A code of theirs says more than our words for it can; anything that does not look like one is left out.
function spellCode(code: string): string {
  return /^[A-Za-z_]{1,60}$/.test(code) ? ` (${code})` : '';
}

function readRequestId(headers: Headers): string | undefined {
  const id = headers.get('x-vercel-id') ?? '';
  return /^[\w:.-]{1,100}$/.test(id) ? id : undefined;
}
