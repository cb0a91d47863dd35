import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';
import type { Answer } from './transport.ts';
import { readRequestId, readRetryAfterMs } from './waits.ts';

type Failure = Omit<FailureDetails, 'requestId' | 'scope'> & {
  statuses: [lowest: number, highest: number];
  /** The authority's numbers (`AADSTS…`); a row without them or `errors` holds for all. */
  numbers?: number[];
  /** Its words for them (`error`), which it promises to keep. */
  errors?: string[];
};

const ANY: [number, number] = [400, 499];

/** What each refusal to hand out a token means; the first row that fits counts. All of them hold for the whole destination. */
export const authorityFailures: Failure[] = [
  {
    statuses: [429, 429],
    kind: 'throttled',
    code: 'rate_limited',
    message: 'The sign-in service asks to wait.',
    retryAfterMs: 1000,
  },
  {
    statuses: ANY,
    numbers: [7000215],
    kind: 'client',
    code: 'credentials_refused',
    message: 'The client_secret is wrong: set the value of a client secret, not its id.',
  },
  {
    statuses: ANY,
    numbers: [7000222],
    kind: 'client',
    code: 'credentials_expired',
    message: 'The client_secret has expired: make a new one and set it.',
  },
  {
    statuses: ANY,
    numbers: [700016],
    kind: 'client',
    code: 'application_unknown',
    message: 'The tenant does not know the application: check client_id and tenant_id.',
  },
  {
    statuses: ANY,
    numbers: [7000112],
    kind: 'client',
    code: 'application_disabled',
    message: 'The application is disabled in the tenant: enable it.',
  },
  {
    statuses: ANY,
    numbers: [90002, 900021, 900023],
    kind: 'client',
    code: 'tenant_unknown',
    message: 'The tenant is not known: check tenant_id and cloud.',
  },
  {
    statuses: ANY,
    numbers: [53003],
    kind: 'client',
    code: 'sign_in_blocked',
    message: 'A conditional access policy of the tenant keeps the application out: allow this machine.',
  },
  {
    // Passing troubles that the authority reports with the status of a client's fault.
    statuses: ANY,
    errors: ['temporarily_unavailable', 'server_error'],
    numbers: [50033, 50087, 90006, 90024, 90033],
    kind: 'external',
    code: 'authority_unavailable',
    message: 'The sign-in service is not available; it is tried again.',
  },
  {
    statuses: ANY,
    kind: 'client',
    code: 'credentials_refused',
    message: 'The sign-in was refused: check client_id, client_secret and tenant_id.',
  },
  {
    statuses: [500, 599],
    kind: 'external',
    code: 'authority_unavailable',
    message: 'The sign-in service failed on its side; it is tried again.',
  },
  {
    statuses: [300, 399],
    kind: 'external',
    code: 'redirected',
    message:
      'The sign-in service answered with a redirect, which is not followed: check SEALIFT_AZURE_AUTHORITY_HOST and the network.',
  },
];

/** The failure that an answer of the authority stands for; undefined for a success. */
export function describeAuthorityAnswer({ status, headers, body }: Answer): ConnectorError | undefined {
  const numbers = Array.isArray(body['error_codes']) ? body['error_codes'] : [];
  const told: unknown[] = [...numbers, body['error']];
  const row = authorityFailures.find(
    ({ statuses: [lowest, highest], numbers: known = [], errors = [] }) =>
      status >= lowest &&
      status <= highest &&
      (known.length + errors.length === 0 || [...known, ...errors].some((one) => told.includes(one))),
  );
  if (!row) return undefined;
  const { statuses: _statuses, numbers: _numbers, errors: _errors, ...details } = row;
  const requestId = readRequestId(body['trace_id'] ?? headers.get('x-ms-request-id'));
  const retryAfterMs = readRetryAfterMs(headers.get('retry-after'), headers.get('date')) ?? row.retryAfterMs;
  return new ConnectorError({
    ...details,
    scope: 'destination',
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
