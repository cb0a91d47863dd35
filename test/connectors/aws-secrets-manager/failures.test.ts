import { expect } from 'chai';
import type { FailureDetails } from '../../../libs/connector/errors.ts';
import type { Session } from '../../../libs/connector/contract.ts';
import { failures } from '../../../services/connectors/aws-secrets-manager/failures.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, ownedIn, KEY, MARK, NAME, openSession } from './support.ts';

type Operation = 'CreateSecret' | 'PutSecretValue' | 'DescribeSecret' | 'DeleteSecret' | 'TagResource';
type Row = [
  error: string,
  operation: Operation,
  kind: FailureDetails['kind'],
  code: string,
  scope?: 'destination',
];

const verbs: Record<Operation, (session: Session, fake: Cloud1SmFake) => Promise<unknown>> = {
  CreateSecret: (session) => session.put(entry(), calm()),
  PutSecretValue: (session, fake) => session.put(entry({ ...ownedIn(fake), expect: 'present' }), calm()),
  DescribeSecret: (session) => session.read(KEY, calm()),
  DeleteSecret: (session, fake) => session.remove(ownedIn(fake), calm()),
  TagResource: async (session, fake) => session.retag?.({ ...ownedIn(fake), tags: {}, removed: [] }, calm()),
};

const rows: Row[] = [
  ['ResourceExistsException', 'CreateSecret', 'exists', 'conflict'],
  ['ResourceExistsException', 'PutSecretValue', 'external', 'store_busy'],
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
];

describe('cloud1-sm: failures', () => {
  let fake: Cloud1SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  for (const [error, operation, kind, code, scope] of rows)
    it(`${error} of ${operation} is ${kind}/${code}, without the provider's text`, async () => {
      fake.plant({ name: NAME, value: 'v', tags: MARK });
      fake.addFault({ kind: 'error', operation, code: error });
      const failure = await failureOf(verbs[operation](session, fake));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, code, scope ?? 'entry']);
      expect(failure.message).to.not.match(/vendor detail|\{operation\}|wJalr|"a"/i);
      expect(failure.message.length).to.be.within(20, 200);
      expect(failure.requestId).to.match(/^[\w-]{36}$/);
    });

  it('every row of the failure table has been met here or with the credential chain', () => {
    const untried = failures.rows.filter(({ codes }) => !rows.some(([error]) => codes?.includes(error)));
    expect(untried.map(({ code }) => code)).to.deep.equal(['credentials_missing']);
  });

  it('a missing permission is named, for the call that lacked it', async () => {
    fake.addFault({ kind: 'denied', operation: 'CreateSecret' });
    const failure = await failureOf(session.put(entry(), calm()));
    expect(failure.message).to.contain('secretsmanager:CreateSecret');
    expect(failure.message).to.not.contain('arn:aws');
  });

  it('throttling waits a second, and as long as Retry-After says where it is sent', async () => {
    fake.addFault({ kind: 'throttle', operation: 'PutSecretValue', times: 1 });
    fake.addFault({ kind: 'throttle', operation: 'PutSecretValue', status: 429, retryAfterSeconds: 7 });
    const put = () => failureOf(session.put(entry({ ...ownedIn(fake), expect: 'present' }), calm()));
    expect((await put()).retryAfterMs).to.equal(1000);
    expect((await put()).retryAfterMs).to.equal(7000);
  });

  it('a 502 with a body that is no JSON is the store failing, and a 200 with one is not believed', async () => {
    fake.addFault({ kind: 'garbage', status: 502, times: 1 });
    fake.addFault({ kind: 'garbage', times: 1 });
    const first = await failureOf(session.read(KEY, calm()));
    const second = await failureOf(session.put(entry(), calm()));
    expect([first.kind, first.code]).to.deep.equal(['external', 'store_unavailable']);
    expect([second.kind, second.code]).to.deep.equal(['external', 'unexpected_answer']);
    expect(first.message + second.message).to.not.contain('portal');
  });

  it('a redirect is not followed', async () => {
    const other = await startCloud1SmFake();
    fake.addFault({ kind: 'redirect', location: other.url });
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'redirected']);
    expect(other.calls()).to.have.length(0);
    await other.close();
  });

  it('a cut connection is lost for one entry, a closed port is unreachable for all', async () => {
    fake.addFault({ kind: 'cut' });
    const cut = await failureOf(session.read(KEY, calm()));
    const gone = await startCloud1SmFake();
    const lost = await openSession(gone);
    await gone.close();
    const refused = await failureOf(lost.read(KEY, calm()));
    expect([cut.kind, cut.code, cut.scope]).to.deep.equal(['external', 'connection_lost', 'entry']);
    expect([refused.kind, refused.code, refused.scope]).to.deep.equal([
      'external',
      'unreachable',
      'destination',
    ]);
    expect(refused.message).to.contain('ECONNREFUSED');
  });

  it('a call that never answers ends at the time limit', async () => {
    fake.addFault({ kind: 'hang' });
    const hasty = await openSession(fake, {}, { callTimeoutMs: 50 });
    const failure = await failureOf(hasty.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'timed_out']);
  });

  it('a call that never answers ends when the engine says so', async () => {
    fake.addFault({ kind: 'hang' });
    const abort = new AbortController();
    const verb = failureOf(session.read(KEY, abort.signal));
    abort.abort();
    expect((await verb).code).to.equal('call_interrupted');
    expect((await failureOf(session.read(KEY, abort.signal))).code).to.equal('call_interrupted');
  });
});
