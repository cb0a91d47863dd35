import { type ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import { defineFailures } from '../../../libs/connector/http/failures.ts';
import { headersOf } from '../../../libs/connector/http/headers.ts';
import { keyFailures } from './sign-in/key-failures.ts';

/** What each refusal that AWS documents for our calls means; `codes` are the names of the SDK's errors. */
export const failures = defineFailures({
  store: 'AWS Secrets Manager',
  setting: 'region',
  // AWS names no time to wait; it counts its limits by the second.
  limitWaitMs: 1000,
  causes: {
    credentials_expired: {
      kind: 'external',
      scope: 'destination',
      message: 'The temporary credentials have expired; the call is tried again with new ones.',
    },
    clock_skewed: {
      kind: 'client',
      scope: 'destination',
      message: 'The store refused the request: its clock and the clock of this machine differ too much.',
      action: 'Correct the clock of this machine.',
    },
    encryption_key_unusable: {
      kind: 'client',
      scope: 'destination',
      message:
        'The KMS key cannot be used: it does not exist, is disabled, or the credentials lack permission to use it.',
      action: 'Check kms_key_id, and allow kms:GenerateDataKey and kms:Decrypt.',
    },
    replica_failed: {
      kind: 'client',
      message: 'AWS could not create a replica.',
      action:
        'Delete the secret of that name in the region of the replica, check its key in replica_regions, and allow secretsmanager:ReplicateSecretToRegions.',
    },
    version_limit: {
      kind: 'external',
      // The oldest version must age out first. Not `throttled`, because other entries can still be written.
      retryAfterMs: 15 * 60_000,
      message: 'The secret has 100 versions younger than 24 hours.',
      action: 'Write it less often.',
    },
  },
  rows: [
    { codes: ['ResourceExistsException'], operations: ['CreateSecret'], code: 'conflict' },
    // Our token went with another value before: the next attempt uses another token.
    { codes: ['ResourceExistsException'], code: 'store_busy' },
    {
      codes: ['ResourceNotFoundException'],
      operations: ['CreateSecret'],
      code: 'encryption_key_unusable',
    },
    { codes: ['ResourceNotFoundException'], code: 'not_found' },
    {
      codes: ['LimitExceededException'],
      operations: ['CreateSecret'],
      code: 'too_many_entries',
      message:
        'A quota of the account is used up (secrets of the region, or tags of the secret): delete some, or raise the quota.',
    },
    { codes: ['LimitExceededException'], code: 'version_limit' },
    {
      codes: ['InvalidParameterException'],
      operations: ['DeleteSecret'],
      code: 'store_busy',
      message: 'AWS deletes a secret only after its replicas; the deletion is tried again.',
    },
    {
      codes: ['InvalidParameterException', 'ValidationException', 'ValidationError'],
      code: 'request_refused',
      final: true,
      message:
        '{operation} was refused as invalid: check the name, the size of the value, the tags, kms_key_id and replica_regions.',
    },
    // The connector handles a secret that waits for its deletion before a user sees this.
    {
      codes: ['InvalidRequestException'],
      code: 'precondition_failed',
      message:
        '{operation} is not possible in the current state of the secret: another service may manage or replicate it.',
    },
    {
      codes: ['PreconditionNotMetException'],
      code: 'request_refused',
      message:
        '{operation} was refused: a step that must come before is missing. Check the settings of the secret.',
    },
    { codes: ['EncryptionFailure'], code: 'encryption_key_unusable' },
    { codes: ['DecryptionFailure'], code: 'encryption_key_unusable', scope: 'entry' },
    {
      codes: ['MalformedPolicyDocumentException', 'PublicPolicyException'],
      code: 'policy_refused',
      message: '{operation} was refused because of a resource policy: check the policy of the secret.',
    },
    {
      codes: ['AccessDeniedException', 'AccessDenied', 'NotAuthorized'],
      code: 'permission_missing',
      message:
        'The identity lacks a permission: allow secretsmanager:{operation} (and kms:GenerateDataKey and kms:Decrypt if you use your own key).',
    },
    ...keyFailures,
    { codes: ['RequestExpired', 'RequestTimeTooSkewed', 'RequestInTheFuture'], code: 'clock_skewed' },
    // Only roles and the worker's own identity have session tokens, and they are renewed.
    { codes: ['ExpiredTokenException', 'ExpiredToken'], code: 'credentials_expired' },
    {
      codes: ['OptInRequired', 'SubscriptionRequiredException'],
      code: 'account_inactive',
      message: 'The account cannot use the service in this region: enable the region or correct it.',
    },
    {
      codes: ['UnknownOperationException', 'InvalidAction'],
      code: 'configuration_invalid',
      message: 'The server at this address does not know {operation}: check the endpoint and the region.',
    },
    { codes: ['MalformedHttpRequestException'], code: 'request_refused' },
    { codes: ['RequestEntityTooLargeException', 'RequestEntityTooLarge'], code: 'value_too_large' },
    {
      codes: [
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
      code: 'rate_limited',
    },
    {
      codes: [
        'InternalServiceError',
        'InternalFailure',
        'InternalServiceFailure',
        'InternalServerError',
        'RequestAbortedException',
        'RequestTimeout',
        'RequestTimeoutException',
        'ReplicaNotAvailableException',
      ],
      code: 'store_failed',
    },
    { codes: ['ServiceUnavailable', 'ServiceUnavailableException'], code: 'store_unavailable' },
    // AWS names what it does not find. Without a name the answer is that of a proxy, and says nothing about the secret.
    { codes: ['SyntaxError', 'Unknown'], status: 404, code: 'unexpected_answer' },
    {
      codes: ['CredentialsProviderError', 'TokenProviderError'],
      code: 'credentials_missing',
      message:
        'No credentials were found: set access_key_id and secret_access_key, or give the machine a role.',
    },
  ],
});

/** The parts of an SDK error that we may look at. Its message may hold the provider's body, so we never use it. */
export type SdkError = Error & {
  $metadata?: { httpStatusCode?: number; requestId?: string };
  $response?: { headers?: Record<string, unknown> };
};

/** What a failed call means. An error that came neither from the service nor from the network is returned as it is. */
export function translate(thrown: unknown, operation: string): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, $metadata: answer, $response: response } = thrown as SdkError;
  const isKnown = failures.rows.some(({ codes }) => codes?.includes(name));
  if (answer?.httpStatusCode === undefined && !isKnown) return failures.describeTransport(thrown) ?? thrown;
  return failures.describeAnswer({
    status: answer?.httpStatusCode ?? 0,
    header: headersOf(response?.headers ?? {}),
    codes: [name],
    operation,
    words: { operation },
    said: { requestId: answer?.requestId },
  });
}

/** Whether AWS refuses because of the state of a secret, such as a scheduled deletion. */
export function isOfState(error: unknown): error is ConnectorError {
  return hasCode(error, 'precondition_failed');
}
