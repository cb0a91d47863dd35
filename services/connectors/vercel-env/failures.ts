import type { ConnectorError } from '../../../libs/connector/errors.ts';
import { defineFailures } from '../../../libs/connector/http/failures.ts';
import { asObject } from '../../../libs/connector/http/json.ts';

/** What a call was for, as the messages say it. */
export type Purpose = 'read' | 'write';

const CREDENTIALS =
  'Vercel does not accept the access_token: it is wrong, expired or revoked; set a new one.';
const REFUSED =
  'Vercel refused the variable in {container}{named}: its name, its value or its environments are not valid.';
const NOT_FOUND =
  'The project {container} does not exist, or the access_token cannot see it: check project_id and team_id.';

/** What each failure means that Vercel documents or is known to send; `codes` are its codes and flags, in upper case. */
export const failures = defineFailures({
  store: "Vercel's API",
  setting: 'HOSTING_PROJECT_API_URL',
  // Vercel counts its limits by the minute.
  limitWaitMs: 60_000,
  rows: [
    { codes: ['RATE_LIMITED'], code: 'rate_limited' },
    {
      codes: ['NOT_AUTHENTICATED', 'INVALIDTOKEN', 'MISSINGTOKEN'],
      code: 'credentials_refused',
      message: CREDENTIALS,
    },
    { status: 401, code: 'credentials_refused', message: CREDENTIALS },
    {
      codes: ['ENV_ALREADY_EXISTS', 'ENV_CONFLICT', 'EXISTING_KEY_AND_TARGET'],
      code: 'conflict',
      message: 'A variable of this name already exists for an environment of {container}.',
    },
    {
      codes: ['RESERVED_ENV_VARIABLE', 'SYSTEM_ENV_WITH_VALUE'],
      code: 'name_invalid',
      message: 'Vercel reserves this name; choose another with secret_name_template.',
    },
    {
      status: 402,
      code: 'account_inactive',
      message: 'Vercel refuses changes to {container} until its account is paid or its plan allows more.',
    },
    {
      status: 403,
      codes: ['SAML'],
      code: 'permission_missing',
      scope: 'destination',
      message:
        'The access_token has no access to the team of {container}: set team_id, or a token whose scope includes the team (with single sign-on, authorised for it).',
    },
    {
      status: 403,
      code: 'permission_missing',
      scope: 'destination',
      message:
        'The access_token is not allowed to {purpose} the environment variables of {container}: give it a role on the project (or its team) that is.',
    },
    { status: 404, code: 'container_not_found', message: NOT_FOUND },
    { status: 410, code: 'container_not_found', message: NOT_FOUND },
    {
      status: 413,
      code: 'value_too_large',
      message:
        'Vercel refused the variable as too large; all variables of a deployment share 64 KB, names and values.',
    },
    { status: 400, code: 'request_refused', message: REFUSED },
    { status: 422, code: 'request_refused', message: REFUSED },
  ],
});

/** The parts of Vercel's answer that decide what a failure means; its own words are never shown. */
export type Answer = { status: number; headers: Headers; data: unknown; purpose: Purpose };

/** The error for an answer that is no success. `container` is shown to people. */
export function describeAnswer(answer: Answer, container: string): ConnectorError {
  const { status, headers, data, purpose } = answer;
  const error = asObject(asObject(data)['error']);
  const code = typeof error['code'] === 'string' ? error['code'] : '';
  const flags = status === 403 ? Object.keys(error).filter((flag) => error[flag] === true) : [];
  return failures.describeAnswer({
    status,
    header: (name) => headers.get(name) ?? undefined,
    codes: [code, ...flags].map((one) => one.toUpperCase()),
    // Vercel's code says more than our words for it. Text that does not look like a code is left out.
    words: { container, purpose, named: /^[A-Za-z_]{1,60}$/.test(code) ? ` (${code})` : '' },
    said: { resetAt: asObject(error['limit'])['reset'], requestId: headers.get('x-vercel-id') },
  });
}
