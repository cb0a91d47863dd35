import type { FailureDetails } from '../../../libs/connector/errors.ts';

export type Failure = Omit<FailureDetails, 'requestId' | 'message'> & {
  /** Google's canonical codes, or the reasons of ErrorInfo, which say more. */
  errors: string[];
  /** Only for these calls; a row without it holds for all. */
  operations?: string[];
  /** `{operation}` becomes the call that failed, `{permission}` the permission it takes. */
  message: string;
};

const SECOND = 1000;

/**
 * What each documented refusal means; the first row that fits the reason counts, else the first that fits the code.
 * What is in no row is judged by its HTTP status (`translate.ts`).
 */
export const failures: Failure[] = [
  {
    errors: ['SERVICE_DISABLED'],
    kind: 'client',
    code: 'api_disabled',
    message:
      'The Secret Manager API is not enabled in the project: enable secretmanager.googleapis.com and wait some minutes.',
    scope: 'destination',
  },
  {
    errors: ['BILLING_DISABLED'],
    kind: 'client',
    code: 'billing_disabled',
    message: 'The project has no active billing account: enable billing for it.',
    scope: 'destination',
  },
  {
    errors: ['CONSUMER_INVALID', 'RESOURCE_PROJECT_INVALID'],
    kind: 'client',
    code: 'project_not_found',
    message: 'The project does not exist or is being deleted: correct project_id.',
    scope: 'destination',
  },
  {
    errors: ['CONSUMER_SUSPENDED'],
    kind: 'client',
    code: 'project_suspended',
    message: 'The project is suspended: ask Google about it.',
    scope: 'destination',
  },
  {
    errors: ['SECURITY_POLICY_VIOLATED'],
    kind: 'client',
    code: 'perimeter_refused',
    message: 'A service perimeter refuses the call: let this network and service account into it.',
    scope: 'destination',
  },
  {
    errors: ['LOCATION_ORG_POLICY_VIOLATED', 'ORG_RESTRICTION_VIOLATION'],
    kind: 'client',
    code: 'organization_policy',
    message: 'A policy of the organization refuses the call: check replication_locations and the policy.',
    scope: 'destination',
  },
  {
    errors: ['USER_PROJECT_DENIED'],
    kind: 'client',
    code: 'permission_missing',
    message: 'The service account may not use the project: grant serviceusage.services.use.',
    scope: 'destination',
  },
  {
    errors: ['RATE_LIMIT_EXCEEDED'],
    kind: 'throttled',
    code: 'rate_limited',
    message: 'The quota of calls of the project is used up for this minute.',
    // Quotas are counted by the minute, and mostly no time is named.
    retryAfterMs: 60 * SECOND,
    scope: 'destination',
  },
  {
    errors: ['RESOURCE_QUOTA_EXCEEDED'],
    kind: 'client',
    code: 'quota_exceeded',
    message: 'A quota of the project is used up: delete secrets or versions, or have it raised.',
  },
  {
    // No reason given: the limit of some two writes a second for one secret.
    errors: ['RESOURCE_EXHAUSTED'],
    kind: 'throttled',
    code: 'rate_limited',
    message: 'This secret is written too often; it is tried again at once.',
    retryAfterMs: SECOND,
  },
  {
    errors: ['UNAUTHENTICATED'],
    kind: 'client',
    code: 'credentials_refused',
    message:
      'The key is unknown, disabled or deleted, or the clock of this machine is wrong: set credentials anew.',
    scope: 'destination',
  },
  {
    errors: ['PERMISSION_DENIED'],
    kind: 'client',
    code: 'permission_missing',
    message: 'The service account may not do this: grant {permission} in the project.',
  },
  {
    errors: ['ALREADY_EXISTS'],
    operations: ['CreateSecret'],
    kind: 'exists',
    code: 'name_taken',
    message: 'A secret of this name exists already.',
  },
  {
    errors: ['NOT_FOUND'],
    operations: ['CreateSecret'],
    kind: 'client',
    code: 'project_not_found',
    message: 'The project was not found: correct project_id.',
    scope: 'destination',
  },
  {
    errors: ['NOT_FOUND'],
    kind: 'missing',
    code: 'not_found',
    message: 'There is no secret of this name, or it has no version.',
  },
  {
    // The etag: somebody changed the labels since they were read.
    errors: ['FAILED_PRECONDITION'],
    operations: ['UpdateSecret'],
    kind: 'external',
    code: 'changed_meanwhile',
    message: 'The secret was changed at the same time by somebody else; it is tried again.',
    retryAfterMs: SECOND,
  },
  {
    errors: ['FAILED_PRECONDITION'],
    operations: ['AccessSecretVersion', 'DestroySecretVersion'],
    kind: 'client',
    code: 'version_state',
    message: 'The version is disabled or destroyed.',
  },
  {
    errors: ['FAILED_PRECONDITION'],
    kind: 'client',
    code: 'precondition_failed',
    message:
      '{operation} is not possible at present: check replication_locations, the policies of the organization and the encryption key of the secret.',
  },
  {
    errors: ['INVALID_ARGUMENT', 'OUT_OF_RANGE'],
    kind: 'client',
    code: 'invalid_argument',
    final: true,
    message:
      '{operation} was refused as invalid: check the name, the size of the value, the labels and replication_locations.',
  },
  {
    errors: ['ABORTED'],
    kind: 'external',
    code: 'changed_meanwhile',
    message: 'The secret was changed at the same time by somebody else; it is tried again.',
    retryAfterMs: SECOND,
  },
  {
    errors: ['INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'CANCELLED', 'DEADLINE_EXCEEDED'],
    kind: 'external',
    code: 'store_failed',
    message: 'The service failed on its side; it is tried again.',
  },
  {
    errors: ['UNAVAILABLE'],
    kind: 'external',
    code: 'store_unavailable',
    message: 'The service is not available; it is tried again.',
    scope: 'destination',
  },
  {
    errors: ['UNIMPLEMENTED'],
    kind: 'client',
    code: 'not_the_service',
    message: 'The address does not know {operation}: the operator should check CLOUD3_SM_API_URL.',
    scope: 'destination',
  },
];
