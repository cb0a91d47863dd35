import { expect } from 'chai';
import { failures } from '../../../services/connectors/google-secret-manager/failures.ts';
import { startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession } from './support.ts';

describeFailures({
  type: 'cloud3-sm',
  failures,
  startFake: () => startCloud3SmFake(),
  open: (fake, context) => openSession(fake, {}, context),
  prepare: (fake) => fake.plant({ name: NAME, value: 'old', tags: MARK }),
  verbs: {
    CreateSecret: (session, _fake, signal) =>
      session.put(entry({ name: 'another', value: HIDDEN_VALUE }), signal),
    AddSecretVersion: (session, _fake, signal) =>
      session.put(entry({ value: HIDDEN_VALUE, expect: 'present' }), signal),
    GetSecret: async (session, _fake, signal) => session.retag?.({ ...KEY, tags: {}, removed: [] }, signal),
    UpdateSecret: async (session, _fake, signal) =>
      session.retag?.({ ...KEY, tags: { a: 'b' }, removed: [] }, signal),
    AccessSecretVersion: (session, _fake, signal) => session.read(KEY, signal),
    DeleteSecret: (session, _fake, signal) => session.remove(KEY, signal),
  },
  words: ['operation', 'permission', 'holder', 'refusal'],
  hidden: /PRIVATE KEY|eyJ|sealift-test/i,
  requestId: /^[\w-]{36}$/,
  waits: { rate_limited: 60_000, store_busy: 1000 },
  // Both go by the status of an answer without a code.
  metElsewhere: ['rate_limited', 'unexpected_answer'],
  rows: [
    ['SERVICE_DISABLED', 'AddSecretVersion', 'client', 'account_inactive', 'destination'],
    ['BILLING_DISABLED', 'CreateSecret', 'client', 'account_inactive', 'destination'],
    ['CONSUMER_INVALID', 'CreateSecret', 'client', 'container_not_found', 'destination'],
    ['CONSUMER_SUSPENDED', 'GetSecret', 'client', 'account_inactive', 'destination'],
    ['SECURITY_POLICY_VIOLATED', 'AccessSecretVersion', 'client', 'policy_refused', 'destination'],
    ['LOCATION_ORG_POLICY_VIOLATED', 'CreateSecret', 'client', 'policy_refused', 'destination'],
    ['USER_PROJECT_DENIED', 'DeleteSecret', 'client', 'permission_missing', 'destination'],
    ['RATE_LIMIT_EXCEEDED', 'AddSecretVersion', 'throttled', 'rate_limited', 'destination'],
    ['RESOURCE_QUOTA_EXCEEDED', 'CreateSecret', 'client', 'too_many_entries'],
    ['RESOURCE_EXHAUSTED', 'AddSecretVersion', 'throttled', 'rate_limited', { waits: 1000 }],
    ['RESOURCE_EXHAUSTED', 'AccessSecretVersion', 'throttled', 'rate_limited', { waits: 1000 }],
    ['ACCOUNT_STATE_INVALID', 'AddSecretVersion', 'client', 'credentials_refused', 'destination'],
    ['UNAUTHENTICATED', 'DeleteSecret', 'client', 'credentials_refused', 'destination'],
    ['PERMISSION_DENIED', 'AddSecretVersion', 'client', 'permission_missing'],
    ['ALREADY_EXISTS', 'CreateSecret', 'exists', 'conflict'],
    ['NOT_FOUND', 'CreateSecret', 'client', 'container_not_found', 'destination'],
    ['NOT_FOUND', 'AddSecretVersion', 'missing', 'not_found'],
    ['NOT_FOUND', 'UpdateSecret', 'missing', 'not_found'],
    ['FAILED_PRECONDITION', 'UpdateSecret', 'external', 'store_busy', { calls: 2 }],
    ['FAILED_PRECONDITION', 'CreateSecret', 'client', 'precondition_failed'],
    ['FAILED_PRECONDITION', 'AddSecretVersion', 'client', 'precondition_failed'],
    ['INVALID_ARGUMENT', 'CreateSecret', 'client', 'request_refused'],
    ['OUT_OF_RANGE', 'AddSecretVersion', 'client', 'request_refused'],
    ['ABORTED', 'UpdateSecret', 'external', 'store_busy', { calls: 2 }],
    ['INTERNAL', 'AddSecretVersion', 'external', 'store_failed'],
    ['DEADLINE_EXCEEDED', 'DeleteSecret', 'external', 'store_failed'],
    ['UNAVAILABLE', 'AddSecretVersion', 'external', 'store_unavailable', 'destination'],
    ['UNAVAILABLE', 'AccessSecretVersion', 'external', 'store_unavailable', 'destination'],
    ['UNIMPLEMENTED', 'GetSecret', 'client', 'configuration_invalid', 'destination'],
    ['BRAND_NEW_REASON', 'AddSecretVersion', 'client', 'permission_missing'],
    [
      { kind: 'denied' },
      'CreateSecret',
      'client',
      'permission_missing',
      { what: 'a lack of rights', says: /secretmanager\.secrets\.create/ },
    ],
    [
      { kind: 'throttle', retryAfterSeconds: 7 },
      'AddSecretVersion',
      'throttled',
      'rate_limited',
      { what: 'a quota with a time', scope: 'destination', waits: 7000 },
    ],
    [
      { kind: 'throttle', code: 'secret', retryAfterSeconds: 3 },
      'AddSecretVersion',
      'throttled',
      'rate_limited',
      { what: "one secret's limit with a time", waits: 3000 },
    ],
  ],
});

describe('cloud3-sm: its quota', () => {
  it('the quota of the project, once used up, is waited out and then writes pass again', async () => {
    const fake = await startCloud3SmFake();
    const session = await openSession(fake);
    fake.addFault({ kind: 'limit', writes: 2, perMs: 300 });
    await session.put(entry(), calm());
    const put = entry({ value: 'next', expect: 'present' });
    const failure = await failureOf(session.put(put, calm()));
    expect([failure.kind, failure.retryAfterMs]).to.deep.equal(['throttled', 1000]);
    await new Promise((resolve) => setTimeout(resolve, failure.retryAfterMs));
    await session.put(put, calm());
    expect(fake.entries()[0]?.value).to.equal('next');
    await session.close?.();
    await fake.close();
  });
});
