import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { FailureDetails } from '../../../libs/connector/errors.ts';
import { failures, type Operation } from '../../../services/connectors/google-secret-manager/failures.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession } from './support.ts';

type Row = [
  error: string,
  operation: Operation,
  kind: FailureDetails['kind'],
  code: string,
  scope?: 'destination',
];

const verbs: Partial<Record<Operation, (session: Session) => Promise<unknown>>> = {
  CreateSecret: (session) => session.put(entry(), calm()),
  AddSecretVersion: (session) => session.put(entry({ expect: 'present' }), calm()),
  GetSecret: async (session) => session.retag?.({ ...KEY, tags: {}, removed: [] }, calm()),
  UpdateSecret: async (session) => session.retag?.({ ...KEY, tags: { a: 'b' }, removed: [] }, calm()),
  AccessSecretVersion: (session) => session.read(KEY, calm()),
  DeleteSecret: (session) => session.remove(KEY, calm()),
};

const rows: Row[] = [
  ['SERVICE_DISABLED', 'AddSecretVersion', 'client', 'account_inactive', 'destination'],
  ['BILLING_DISABLED', 'CreateSecret', 'client', 'account_inactive', 'destination'],
  ['CONSUMER_INVALID', 'CreateSecret', 'client', 'container_not_found', 'destination'],
  ['CONSUMER_SUSPENDED', 'GetSecret', 'client', 'account_inactive', 'destination'],
  ['SECURITY_POLICY_VIOLATED', 'AccessSecretVersion', 'client', 'policy_refused', 'destination'],
  ['LOCATION_ORG_POLICY_VIOLATED', 'CreateSecret', 'client', 'policy_refused', 'destination'],
  ['USER_PROJECT_DENIED', 'DeleteSecret', 'client', 'permission_missing', 'destination'],
  ['RATE_LIMIT_EXCEEDED', 'AddSecretVersion', 'throttled', 'rate_limited', 'destination'],
  ['RESOURCE_QUOTA_EXCEEDED', 'CreateSecret', 'client', 'too_many_entries'],
  ['RESOURCE_EXHAUSTED', 'AddSecretVersion', 'throttled', 'rate_limited'],
  ['RESOURCE_EXHAUSTED', 'AccessSecretVersion', 'throttled', 'rate_limited'],
  ['ACCOUNT_STATE_INVALID', 'AddSecretVersion', 'client', 'credentials_refused', 'destination'],
  ['UNAUTHENTICATED', 'DeleteSecret', 'client', 'credentials_refused', 'destination'],
  ['PERMISSION_DENIED', 'AddSecretVersion', 'client', 'permission_missing'],
  ['ALREADY_EXISTS', 'CreateSecret', 'exists', 'conflict'],
  ['NOT_FOUND', 'CreateSecret', 'client', 'container_not_found', 'destination'],
  ['NOT_FOUND', 'AddSecretVersion', 'missing', 'not_found'],
  ['NOT_FOUND', 'UpdateSecret', 'missing', 'not_found'],
  ['FAILED_PRECONDITION', 'UpdateSecret', 'external', 'store_busy'],
  ['FAILED_PRECONDITION', 'CreateSecret', 'client', 'precondition_failed'],
  ['FAILED_PRECONDITION', 'AddSecretVersion', 'client', 'precondition_failed'],
  ['INVALID_ARGUMENT', 'CreateSecret', 'client', 'request_refused'],
  ['OUT_OF_RANGE', 'AddSecretVersion', 'client', 'request_refused'],
  ['ABORTED', 'UpdateSecret', 'external', 'store_busy'],
  ['INTERNAL', 'AddSecretVersion', 'external', 'store_failed'],
  ['DEADLINE_EXCEEDED', 'DeleteSecret', 'external', 'store_failed'],
  ['UNAVAILABLE', 'AddSecretVersion', 'external', 'store_unavailable', 'destination'],
  ['UNAVAILABLE', 'AccessSecretVersion', 'external', 'store_unavailable', 'destination'],
  ['UNIMPLEMENTED', 'GetSecret', 'client', 'configuration_invalid', 'destination'],
  ['BRAND_NEW_REASON', 'AddSecretVersion', 'client', 'permission_missing'],
];

describe('cloud3-sm: failures', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  for (const [error, operation, kind, code, scope] of rows)
    it(`${error} of ${operation} is ${kind}/${code}, after one try and without the provider's text`, async () => {
      if (operation !== 'CreateSecret') fake.plant({ name: NAME, value: 'old', tags: MARK });
      fake.addFault({ kind: 'error', operation, code: error });
      const failure = await failureOf(verbs[operation]?.(session) ?? expect.fail('no such verb'));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, code, scope ?? 'entry']);
      expect(JSON.stringify(failure) + failure.stack).to.not.match(/vendor detail|"a":|PRIVATE KEY|eyJ/i);
      expect(failure.message)
        .to.match(/^[A-Z].{20,200}\.$/)
        .and.not.contain('{');
      expect(failure.requestId).to.match(/^[\w-]{36}$/);
      expect(fake.callsOf(operation)).to.have.length(code === 'store_busy' ? 2 : 1);
    });

  it('every row of the failure table that goes by a code is met here', () => {
    const untried = failures.rows.filter(({ codes }) => !rows.some(([error]) => codes?.includes(error)));
    expect(untried.map(({ status }) => status)).to.deep.equal([429, [400, 499]]);
  });

  it('a missing permission is named for the call that lacked it', async () => {
    fake.addFault({ kind: 'denied', operation: 'CreateSecret' });
    const failure = await failureOf(session.put(entry(), calm()));
    expect(failure.message).to.contain('secretmanager.secrets.create');
    expect(failure.message).to.not.contain('sealift-test');
  });

  it('a wait that the store names is obeyed to the second, of the quota and of one secret alike', async () => {
    const wait = async (fault: object) => {
      fake.clearFaults();
      fake.addFault({ kind: 'throttle', operation: 'AddSecretVersion', ...fault });
      const failure = await failureOf(session.put(entry({ expect: 'present' }), calm()));
      return [failure.kind, failure.scope, failure.retryAfterMs];
    };
    expect(await wait({ retryAfterSeconds: 7 })).to.deep.equal(['throttled', 'destination', 7000]);
    expect(await wait({})).to.deep.equal(['throttled', 'destination', 60_000]);
    expect(await wait({ code: 'secret' })).to.deep.equal(['throttled', 'entry', 1000]);
    expect(await wait({ code: 'secret', retryAfterSeconds: 3 })).to.deep.equal(['throttled', 'entry', 3000]);
  });

  it('the quota of the project, once used up, is waited out and then writes pass again', async () => {
    fake.addFault({ kind: 'limit', writes: 2, perMs: 300 });
    await session.put(entry(), calm());
    const put = entry({ value: 'next', expect: 'present' });
    const failure = await failureOf(session.put(put, calm()));
    expect([failure.kind, failure.retryAfterMs]).to.deep.equal(['throttled', 1000]);
    await new Promise((resolve) => setTimeout(resolve, failure.retryAfterMs));
    await session.put(put, calm());
    expect(fake.entries()[0]?.value).to.equal('next');
  });
});
