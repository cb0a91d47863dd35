import { failures } from '../../../services/connectors/aws-secrets-manager/failures.ts';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { entry, KEY, MARK, NAME, openSession, ownedIn } from './support.ts';

describeFailures({
  type: 'cloud1-sm',
  failures,
  startFake: () => startCloud1SmFake(),
  open: (fake, context) => openSession(fake, {}, context),
  prepare: (fake) => fake.plant({ name: NAME, value: 'v', tags: MARK }),
  verbs: {
    CreateSecret: (session, _fake, signal) => session.put(entry({ value: HIDDEN_VALUE }), signal),
    PutSecretValue: (session, fake, signal) =>
      session.put(entry({ ...ownedIn(fake), value: HIDDEN_VALUE, expect: 'present' }), signal),
    DescribeSecret: (session, _fake, signal) => session.read(KEY, signal),
    DeleteSecret: (session, fake, signal) => session.remove(ownedIn(fake), signal),
    TagResource: async (session, fake, signal) =>
      session.retag?.({ ...ownedIn(fake), tags: {}, removed: [] }, signal),
  },
  words: ['operation'],
  hidden: /wJalr|arn:aws/,
  requestId: /^[\w-]{36}$/,
  waits: { rate_limited: 1000, store_busy: 1000, version_limit: 900_000 },
  // With the credential chain.
  metElsewhere: ['credentials_missing'],
  rows: [
    ['ResourceExistsException', 'CreateSecret', 'exists', 'conflict'],
    // Once with the token and once without.
    ['ResourceExistsException', 'PutSecretValue', 'external', 'store_busy', { calls: 2 }],
    ['ResourceNotFoundException', 'CreateSecret', 'client', 'encryption_key_unusable', 'destination'],
    ['ResourceNotFoundException', 'PutSecretValue', 'missing', 'not_found'],
    ['ResourceNotFoundException', 'TagResource', 'missing', 'not_found'],
    ['LimitExceededException', 'CreateSecret', 'client', 'too_many_entries'],
    ['LimitExceededException', 'PutSecretValue', 'external', 'version_limit'],
    ['InvalidParameterException', 'CreateSecret', 'client', 'request_refused'],
    ['ValidationException', 'PutSecretValue', 'client', 'request_refused'],
    ['InvalidRequestException', 'DescribeSecret', 'client', 'precondition_failed'],
    ['PreconditionNotMetException', 'CreateSecret', 'client', 'request_refused'],
    ['EncryptionFailure', 'PutSecretValue', 'client', 'encryption_key_unusable', 'destination'],
    ['DecryptionFailure', 'PutSecretValue', 'client', 'encryption_key_unusable'],
    ['MalformedPolicyDocumentException', 'CreateSecret', 'client', 'policy_refused'],
    ['AccessDeniedException', 'PutSecretValue', 'client', 'permission_missing'],
    ['UnrecognizedClientException', 'PutSecretValue', 'client', 'credentials_refused', 'destination'],
    ['InvalidClientTokenId', 'CreateSecret', 'client', 'credentials_refused', 'destination'],
    ['IncompleteSignatureException', 'DeleteSecret', 'client', 'credentials_refused', 'destination'],
    ['InvalidSignatureException', 'PutSecretValue', 'client', 'credentials_refused', 'destination'],
    ['RequestExpired', 'PutSecretValue', 'client', 'clock_skewed', 'destination'],
    ['ExpiredTokenException', 'PutSecretValue', 'external', 'credentials_expired', 'destination'],
    ['OptInRequired', 'PutSecretValue', 'client', 'account_inactive', 'destination'],
    ['UnknownOperationException', 'DescribeSecret', 'client', 'configuration_invalid', 'destination'],
    ['RequestEntityTooLargeException', 'PutSecretValue', 'client', 'value_too_large'],
    ['ThrottlingException', 'PutSecretValue', 'throttled', 'rate_limited', 'destination'],
    ['TooManyRequestsException', 'TagResource', 'throttled', 'rate_limited', 'destination'],
    ['InternalServiceError', 'PutSecretValue', 'external', 'store_failed'],
    ['InternalFailure', 'DeleteSecret', 'external', 'store_failed'],
    ['ServiceUnavailable', 'PutSecretValue', 'external', 'store_unavailable', 'destination'],
    ['MalformedHttpRequestException', 'PutSecretValue', 'client', 'request_refused'],
    ['BrandNewException', 'PutSecretValue', 'client', 'request_refused'],
    [[404, 'Unknown'], 'PutSecretValue', 'external', 'unexpected_answer'],
    [
      { kind: 'denied' },
      'CreateSecret',
      'client',
      'permission_missing',
      { what: 'a lack of rights', says: /secretsmanager:CreateSecret/ },
    ],
    [{ kind: 'throttle' }, 'PutSecretValue', 'throttled', 'rate_limited', 'destination'],
    [
      { kind: 'throttle', status: 429, retryAfterSeconds: 7 },
      'PutSecretValue',
      'throttled',
      'rate_limited',
      { what: '429 with Retry-After', scope: 'destination', waits: 7000 },
    ],
  ],
});
