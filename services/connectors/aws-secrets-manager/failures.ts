import type { FailureDetails } from '../../../libs/connector/errors.ts';

export type Failure = Omit<FailureDetails, 'requestId' | 'message'> & {
  /** The vendor's names for it, as the SDK reports them. */
  errors: string[];
  /** Only for these calls; a row without it holds for all. */
  operations?: string[];
  /** `{operation}` becomes the call that failed. */
  message: string;
};

const SECOND = 1000;

/**
 * What each documented refusal of the calls we make means; the first row that fits counts. Common errors of the
 * vendor are below the calls' own. What is in no row is judged by its HTTP status (`translate.ts`).
 */
export const failures: Failure[] = [
  {
    errors: ['ResourceExistsException'],
    operations: ['CreateSecret'],
    kind: 'exists',
    code: 'name_taken',
    message: 'A secret of this name exists already.',
  },
  {
    // Our token was used for another value: the next attempt carries another one.
    errors: ['ResourceExistsException'],
    kind: 'external',
    code: 'version_conflict',
    message: 'The version was written meanwhile with another value; it is tried again.',
    retryAfterMs: SECOND,
  },
  {
    errors: ['ResourceNotFoundException'],
    operations: ['CreateSecret'],
    kind: 'client',
    code: 'kms_key_not_found',
    message: 'The KMS key was not found: correct kms_key_id.',
    scope: 'destination',
  },
  {
    errors: ['ResourceNotFoundException'],
    kind: 'missing',
    code: 'not_found',
    message: 'There is no secret of this name.',
  },
  {
    errors: ['LimitExceededException'],
    operations: ['CreateSecret'],
    kind: 'client',
    code: 'quota_exceeded',
    message:
      'A quota of the account is used up (secrets of the region, or tags of the secret): delete or raise it.',
  },
  {
    // 100 versions, all younger than a day: the oldest must age out, so this entry waits long. Not `throttled`,
    // because other entries of the account are not concerned; not `client`, because time alone mends it.
    errors: ['LimitExceededException'],
    kind: 'external',
    code: 'version_limit',
    message:
      'The secret holds 100 versions younger than 24 hours: write it less often. It is tried again later.',
    retryAfterMs: 15 * 60 * SECOND,
  },
  {
    errors: ['InvalidParameterException', 'ValidationException', 'ValidationError'],
    kind: 'client',
    code: 'invalid_parameter',
    final: true,
    message:
      '{operation} was refused as invalid: check the name, the size of the value, the tags and kms_key_id.',
  },
  {
    // A secret that waits for its deletion is dealt with before this row is asked.
    errors: ['InvalidRequestException'],
    kind: 'client',
    code: 'invalid_request',
    message:
      '{operation} is not possible in the present state of the secret: another service may manage or replicate it.',
  },
  {
    errors: ['PreconditionNotMetException'],
    kind: 'client',
    code: 'precondition_failed',
    message:
      '{operation} was refused: a step that must come before is missing. Check the settings of the secret.',
  },
  {
    errors: ['EncryptionFailure'],
    kind: 'client',
    code: 'encryption_failed',
    message:
      'The KMS key cannot encrypt: check that it exists, is enabled and may be used (kms:GenerateDataKey).',
    scope: 'destination',
  },
  {
    errors: ['DecryptionFailure'],
    kind: 'client',
    code: 'decryption_failed',
    message: 'The KMS key cannot decrypt: check that it exists, is enabled and may be used (kms:Decrypt).',
  },
  {
    errors: ['MalformedPolicyDocumentException', 'PublicPolicyException'],
    kind: 'client',
    code: 'policy_refused',
    message: '{operation} was refused because of a resource policy: check the policy of the secret.',
  },
  {
    errors: ['AccessDeniedException', 'AccessDenied', 'NotAuthorized'],
    kind: 'client',
    code: 'permission_missing',
    message:
      'The identity may not do this: allow secretsmanager:{operation} (and kms:GenerateDataKey, kms:Decrypt where a key of your own encrypts).',
  },
  {
    errors: [
      'UnrecognizedClientException',
      'InvalidClientTokenId',
      'MissingAuthenticationToken',
      'MissingAuthenticationTokenException',
      'IncompleteSignature',
      'IncompleteSignatureException',
    ],
    kind: 'client',
    code: 'credentials_refused',
    message:
      'The access key is unknown, deactivated or deleted: set access_key_id and secret_access_key anew.',
    scope: 'destination',
  },
  {
    errors: ['InvalidSignatureException', 'SignatureDoesNotMatch'],
    kind: 'client',
    code: 'signature_refused',
    message: 'The signature was refused: check secret_access_key, and the clock of this machine.',
    scope: 'destination',
  },
  {
    errors: ['RequestExpired', 'RequestTimeTooSkewed', 'RequestInTheFuture'],
    kind: 'client',
    code: 'clock_skewed',
    message: 'The request was too old or too new: set the clock of this machine.',
    scope: 'destination',
  },
  {
    // Only the default chain hands out session tokens, and it renews them.
    errors: ['ExpiredTokenException', 'ExpiredToken'],
    kind: 'external',
    code: 'credentials_expired',
    message: 'The session token has expired; it is tried again with a renewed one.',
    scope: 'destination',
  },
  {
    errors: ['OptInRequired', 'SubscriptionRequiredException'],
    kind: 'client',
    code: 'not_subscribed',
    message: 'The account may not use the service in this region: enable the region or correct it.',
    scope: 'destination',
  },
  {
    errors: ['UnknownOperationException', 'InvalidAction'],
    kind: 'client',
    code: 'not_the_service',
    message: 'The address does not know {operation}: check the endpoint and the region.',
    scope: 'destination',
  },
  {
    errors: ['MalformedHttpRequestException', 'RequestEntityTooLargeException', 'RequestEntityTooLarge'],
    kind: 'client',
    code: 'request_refused',
    message: '{operation} could not be read by the service: check the size of the value.',
  },
  {
    errors: [
      'ThrottlingException',
      'Throttling',
      'ThrottledException',
      'RequestThrottled',
      'RequestThrottledException',
      'TooManyRequestsException',
      'RequestLimitExceeded',
      'BandwidthLimitExceeded',
      'SlowDown',
    ],
    kind: 'throttled',
    code: 'rate_limited',
    message: 'The service asks to wait: the rate of calls for the account and region is used up.',
    // The service names no time; its limits are counted by the second.
    retryAfterMs: SECOND,
    scope: 'destination',
  },
  {
    errors: [
      'InternalServiceError',
      'InternalFailure',
      'InternalServiceFailure',
      'InternalServerError',
      'RequestAbortedException',
      'RequestTimeout',
      'RequestTimeoutException',
      'ReplicaNotAvailableException',
    ],
    kind: 'external',
    code: 'store_failed',
    message: 'The service failed on its side; it is tried again.',
  },
  {
    errors: ['ServiceUnavailable', 'ServiceUnavailableException'],
    kind: 'external',
    code: 'store_unavailable',
    message: 'The service is not available; it is tried again.',
    scope: 'destination',
  },
  {
    errors: ['CredentialsProviderError', 'TokenProviderError'],
    kind: 'client',
    code: 'credentials_missing',
    message:
      'No credentials were found: set access_key_id and secret_access_key, or give the machine a role.',
    scope: 'destination',
  },
];
