import { type StoreAnswer, defineFailures } from '../../../libs/connector/http/failures.ts';
import { asObject, type JsonObject, tryParseJson } from '../../../libs/connector/http/json.ts';
import { headersOf } from '../../../libs/connector/http/headers.ts';
import { causesOf } from '../../../libs/connector/http/transport-errors.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';

/** The permission that each call of the API needs. */
export const PERMISSIONS = {
  CreateSecret: 'secretmanager.secrets.create',
  GetSecret: 'secretmanager.secrets.get',
  UpdateSecret: 'secretmanager.secrets.update',
  DeleteSecret: 'secretmanager.secrets.delete',
  AddSecretVersion: 'secretmanager.versions.add',
  AccessSecretVersion: 'secretmanager.versions.access',
  ListSecretVersions: 'secretmanager.versions.list',
  DestroySecretVersion: 'secretmanager.versions.destroy',
} as const;

/** A call of the API, by its name there. */
export type Operation = keyof typeof PERMISSIONS;

/** Who has the rights where a key is stored, for messages. */
export const STORED_HOLDER = 'The service account';

const NO_PROJECT = 'The project does not exist or is being deleted: correct project_id.';

/**
 * What each documented refusal means; `codes` are the reasons of ErrorInfo, which say more, and Google's canonical codes.
 */
export const failures = defineFailures({
  store: 'Google Secret Manager',
  setting: 'universe_domain of the credentials',
  // Google counts quotas by the minute and mostly names no time to wait.
  limitWaitMs: 60_000,
  rows: [
    {
      codes: ['SERVICE_DISABLED'],
      code: 'account_inactive',
      message:
        'The Secret Manager API is not enabled in the project: enable secretmanager.googleapis.com and wait some minutes.',
    },
    {
      codes: ['BILLING_DISABLED'],
      code: 'account_inactive',
      message: 'The project has no active billing account: enable billing for it.',
    },
    {
      codes: ['CONSUMER_SUSPENDED'],
      code: 'account_inactive',
      message: 'The project is suspended: ask Google why.',
    },
    {
      codes: ['CONSUMER_INVALID', 'RESOURCE_PROJECT_INVALID'],
      code: 'container_not_found',
      message: NO_PROJECT,
    },
    {
      codes: ['SECURITY_POLICY_VIOLATED'],
      code: 'policy_refused',
      scope: 'destination',
      message: 'A service perimeter refuses the call: add this network and the service account to it.',
    },
    {
      codes: ['LOCATION_ORG_POLICY_VIOLATED', 'ORG_RESTRICTION_VIOLATION'],
      code: 'policy_refused',
      scope: 'destination',
      message: 'A policy of the organization refuses the call: check replica_regions and the policy.',
    },
    {
      codes: ['USER_PROJECT_DENIED'],
      code: 'permission_missing',
      scope: 'destination',
      message: '{holder} cannot use the project: grant serviceusage.services.use.',
    },
    { codes: ['RATE_LIMIT_EXCEEDED'], code: 'rate_limited' },
    {
      codes: ['RESOURCE_QUOTA_EXCEEDED'],
      code: 'too_many_entries',
      message: 'A quota of the project is used up: delete secrets or versions, or ask for a higher quota.',
    },
    {
      // Without a reason it is the limit of some two writes a second for one secret.
      codes: ['RESOURCE_EXHAUSTED'],
      code: 'rate_limited',
      scope: 'entry',
      message: 'This secret is written too often; the call is tried again at once.',
      retryAfterMs: 1000,
    },
    {
      codes: ['UNAUTHENTICATED'],
      code: 'credentials_refused',
      message: '{refusal}.',
    },
    {
      codes: ['PERMISSION_DENIED'],
      code: 'permission_missing',
      message: '{holder} lacks a permission: grant {permission} in the project.',
    },
    { codes: ['ALREADY_EXISTS'], operations: ['CreateSecret'], code: 'conflict' },
    { codes: ['NOT_FOUND'], operations: ['CreateSecret'], code: 'container_not_found', message: NO_PROJECT },
    { codes: ['NOT_FOUND'], code: 'not_found' },
    // The etag does not match: somebody changed the labels after we read them.
    { codes: ['FAILED_PRECONDITION'], operations: ['UpdateSecret'], code: 'store_busy' },
    {
      codes: ['FAILED_PRECONDITION'],
      operations: ['AccessSecretVersion', 'DestroySecretVersion'],
      code: 'precondition_failed',
      message: 'The version is disabled or destroyed.',
    },
    {
      codes: ['FAILED_PRECONDITION'],
      code: 'precondition_failed',
      message:
        '{operation} is not possible now: check replica_regions, the policies of the organization and the customer keys. The service agent of Secret Manager must be allowed to use the keys.',
    },
    {
      codes: ['INVALID_ARGUMENT', 'OUT_OF_RANGE'],
      code: 'request_refused',
      final: true,
      message:
        '{operation} was refused as invalid: check the name, the size of the value, the labels, kms_key_id and replica_regions.',
    },
    { codes: ['ABORTED'], code: 'store_busy' },
    { codes: ['INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'CANCELLED', 'DEADLINE_EXCEEDED'], code: 'store_failed' },
    { codes: ['UNAVAILABLE'], code: 'store_unavailable' },
    {
      codes: ['UNIMPLEMENTED'],
      code: 'configuration_invalid',
      message: 'The server does not know {operation}: the operator should check CLOUD3_SM_API_URL.',
    },
    { status: 429, code: 'rate_limited' },
    // Without a code it is no answer of the API.
    { status: [400, 499], fits: ({ codes = [] }) => codes.length === 0, code: 'unexpected_answer' },
  ],
});

/** The answer to a call is no result. The error does not hold the answer's own words. */
export class RefusedError extends Error {
  readonly answer: StoreAnswer;

  constructor(answer: StoreAnswer) {
    super(`answered with HTTP status ${answer.status}`);
    this.name = 'RefusedError';
    this.answer = answer;
  }
}

/** Reads Google's error body. A body of another form leaves everything empty except the status and the headers. */
export function readAnswer(status: number, headers: Record<string, unknown>, text: string): StoreAnswer {
  const body = tryParseJson(text);
  // Some front ends put the one error into a list.
  const error = asObject(asObject(Array.isArray(body) ? body[0] : body)['error']);
  const details = (Array.isArray(error['details']) ? error['details'] : []).map(asObject);
  const detail = (type: string): JsonObject =>
    details.find((one) => one['@type'] === `type.googleapis.com/google.rpc.${type}`) ?? {};
  const info = detail('ErrorInfo');
  const { permission } = asObject(info['metadata']);
  const isPermission = typeof permission === 'string' && /^[\w.]{1,100}$/.test(permission);
  const requestId = detail('RequestInfo')['requestId'] ?? headers['x-request-id'];
  return {
    status,
    header: headersOf(headers),
    codes: [info['reason'], error['status']].filter((code) => typeof code === 'string'),
    words: isPermission ? { permission } : {},
    said: { requestId, waitMs: readDuration(detail('RetryInfo')['retryDelay']) },
  };
}

// Reads a protobuf duration (seconds with a fraction and an `s`) as milliseconds.
function readDuration(delay: unknown): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof delay === 'string' ? delay : '');
  return match ? Number(match[1]) * 1000 : undefined;
}

// Without a stored key there is none to replace.
function wordsFor(holder: string | undefined): { holder: string; refusal: string } {
  return {
    holder: holder ?? STORED_HOLDER,
    refusal:
      holder === undefined
        ? 'The key is unknown, disabled or deleted, or the clock of this machine is wrong: set new credentials, or correct the clock'
        : `Google no longer accepts the access of ${holder}: check that it still exists, and the clock of this machine`,
  };
}

/**
 * What a failed call means. `holder`: whom access tokens stand for, where they came without a stored key. The SDK's own
 * errors hold the request, and so the value: none of them is passed on, not even as a cause.
 */
export function translate(thrown: unknown, operation: Operation, holder?: string): Error {
  const known = [...causesOf(thrown)].find((cause) => cause instanceof ConnectorError);
  if (known) return known;
  const refused = [...causesOf(thrown)].find((cause) => cause instanceof RefusedError);
  if (refused) {
    const permission = PERMISSIONS[operation];
    const words = { operation, permission, ...wordsFor(holder), ...refused.answer.words };
    return failures.describeAnswer({ ...refused.answer, operation, words });
  }
  const failure = failures.describeTransport(thrown);
  if (failure) return failure;
  // The answer had a good status, but the SDK could not read it.
  if (thrown instanceof SyntaxError) return failures.fail('unexpected_answer');
  const name = thrown instanceof Error && /^\w{1,40}$/.test(thrown.name) ? thrown.name : 'unknown error';
  return new Error(`the SDK failed in ${operation} (${name})`);
}
