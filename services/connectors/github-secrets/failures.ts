import type { ConnectorError } from '../../../libs/connector/errors.ts';
import { defineFailures } from '../../../libs/connector/http/failures.ts';
import { headersOf, type ReadHeader } from '../../../libs/connector/http/headers.ts';

const LIMITED = 'limited';
const SIGN_IN_CLOSED = 'sign-in closed';
const SINGLE_SIGN_ON = 'single sign-on';

/** The call in which an app gets a token for an installation. */
export const SIGN_IN = 'sign-in';

const REFUSED = 'GitHub refused the secret in {container}: its name or its value is not valid.';

/** What each failure that GitHub documents for our calls means. GitHub sends no codes: `readCodes` makes some. */
export const failures = defineFailures({
  store: "GitHub's API",
  setting: 'enterprise_url',
  // The manual's advice for a limit without a time to wait.
  limitWaitMs: 60_000,
  causes: {
    repository_moved: {
      kind: 'client',
      scope: 'destination',
      message: '{store} answers that the repository has another address now. The token is not sent there.',
      action: 'Correct the names in the settings (or enterprise_url).',
    },
    app_missing: {
      kind: 'client',
      step: 'credentials',
      scope: 'destination',
      message: 'Sealift no longer has the GitHub App that app_name names.',
      action: 'Create the app again (sys/sync/github-apps), or choose other credentials.',
    },
    app_refused: {
      kind: 'client',
      step: 'credentials',
      scope: 'destination',
      message: 'GitHub does not accept what the GitHub App signed.',
      action: 'Check its app_id, whether GitHub still has its key, and the clock of this machine.',
    },
    app_unsettled: {
      kind: 'external',
      step: 'credentials',
      scope: 'destination',
      message: 'GitHub does not accept yet what the GitHub App signed. A new app or key takes some minutes.',
      action: 'If this lasts, check its app_id, whether GitHub has its key, and the clock of this machine.',
    },
    installation_not_found: {
      kind: 'client',
      step: 'role',
      scope: 'destination',
      message: 'The GitHub App has no such installation.',
      action:
        'Install the app, and set installation_id to the number at the end of the address of that installation.',
    },
    installation_suspended: {
      kind: 'client',
      step: 'role',
      scope: 'destination',
      message: 'The installation of the GitHub App is suspended.',
      action: 'Unsuspend it at GitHub.',
    },
    selected_repository_not_found: {
      kind: 'client',
      scope: 'destination',
      message:
        'A repository of selected_repository_names does not exist in the organization, or cannot be seen.',
      action: 'Correct selected_repository_names, or give the token or the app access to the repository.',
    },
    installation_too_narrow: {
      kind: 'client',
      step: 'permission',
      scope: 'destination',
      message:
        'The installation of the GitHub App lacks the repository, or the permission to write its secrets.',
      action: 'Add them to the installation at GitHub, and accept its new permissions there.',
    },
  },
  rows: [
    { operations: [SIGN_IN], status: [300, 399], code: 'redirected' },
    // Of a new destination: `app_unsettled`.
    { operations: [SIGN_IN], status: 401, code: 'app_refused' },
    { operations: [SIGN_IN], status: 403, code: 'installation_suspended' },
    { operations: [SIGN_IN], status: 404, code: 'installation_not_found' },
    { operations: [SIGN_IN], status: 422, code: 'installation_too_narrow' },
    { codes: [LIMITED], code: 'rate_limited' },
    {
      // This limit is for the whole user, because somebody used wrong tokens. It passes by itself.
      codes: [SIGN_IN_CLOSED],
      code: 'rate_limited',
      message:
        'GitHub refuses all tokens of this user for a while, because of too many calls with wrong tokens; the call is tried again.',
    },
    { status: [301, 308], code: 'repository_moved' },
    {
      status: 401,
      code: 'credentials_refused',
      message: 'GitHub does not accept the {credential}: it is wrong, expired or revoked; set a new one.',
    },
    {
      codes: [SINGLE_SIGN_ON],
      code: 'permission_missing',
      scope: 'destination',
      message:
        'The {credential} is not authorised for the single sign-on of the organization that owns {container}; authorise it there.',
    },
    {
      status: 403,
      code: 'permission_missing',
      scope: 'destination',
      message:
        'The {credential} lacks {permission} on {container}, or the repository is archived or blocked.',
    },
    {
      status: 404,
      code: 'container_not_found',
      message: '{container} does not exist, or the {credential} cannot see it.',
    },
    {
      status: 413,
      code: 'value_too_large',
      message: 'GitHub refused the secret as too large: it accepts at most 48 KB.',
    },
    { status: 400, code: 'request_refused', message: REFUSED },
    { status: 422, code: 'request_refused', message: REFUSED },
    { status: 451, code: 'account_inactive', message: 'GitHub has blocked {container}.' },
  ],
});

/**
 * The error for an answer that is no success. `text` holds GitHub's own words, which are never shown; `words` names the
 * container and what signed in.
 */
export function describeAnswer(
  answer: { status: number; headers: Record<string, unknown>; text: string; operation?: string | undefined },
  words: { container: string; credential: string },
): ConnectorError {
  const { status, headers, text, operation } = answer;
  const header = headersOf(headers);
  return failures.describeAnswer({
    status,
    header,
    codes: readCodes(status, header, text),
    ...(operation === undefined ? {} : { operation }),
    words: { ...words, permission: namePermission(header) },
    said: { requestId: header('x-github-request-id') },
  });
}

// Sometimes only the text shows that it is a secondary rate limit.
function readCodes(status: number, header: ReadHeader, text: string): string[] {
  if (status === 429) return [LIMITED];
  if (status !== 403) return [];
  const isLimit = header('retry-after') !== undefined || header('x-ratelimit-remaining') === '0';
  if (isLimit || /rate.limit|abuse detection/i.test(text)) return [LIMITED];
  if (/login attempts exceeded/i.test(text)) return [SIGN_IN_CLOSED];
  return header('x-github-sso') === undefined ? [] : [SINGLE_SIGN_ON];
}

// The permission that GitHub names in its header, such as `secrets: write`. Nothing else of the header is shown.
function namePermission(header: ReadHeader): string {
  const [, name, level] =
    /^([a-z_]{1,40})=([a-z]{1,10})/.exec(header('x-accepted-github-permissions') ?? '') ?? [];
  return name && level ? `"${name}: ${level}"` : 'the permission to write secrets';
}
