import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { failures } from '../../../services/connectors/azure-key-vault/failures.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession, openWarmSession } from './support.ts';

describeFailures({
  type: 'cloud2-kv',
  failures,
  startFake: () => startCloud2KvFake(),
  open: (fake, context) => openSession(fake, {}, context),
  prepare: (fake) => fake.plant({ name: NAME, value: 'present', tags: MARK }),
  verbs: {
    SetSecret: (session, _fake, signal) =>
      session.put(entry({ value: HIDDEN_VALUE, expect: 'present' }), signal),
    GetSecret: (session, _fake, signal) => session.read(KEY, signal),
    GetDeletedSecret: (session, _fake, signal) => session.read({ ...KEY, name: 'absent' }, signal),
    UpdateSecret: async (session, _fake, signal) =>
      session.retag?.({ ...KEY, tags: { a: 'b' }, removed: [] }, signal),
    DeleteSecret: (session, _fake, signal) => session.remove(KEY, signal),
  },
  words: ['operation', 'permission'],
  hidden: /client~secret|eyJ/,
  requestId: /^[\w-]{36}$/,
  waits: { rate_limited: 1000, store_busy: 2000, recovery_under_way: 2000, deletion_under_way: 2000 },
  // With the sign-in, and with deleted secrets.
  metElsewhere: ['credentials_refused', 'deleted_recoverable'],
  rows: [
    [[400, 'BadParameter'], 'SetSecret', 'client', 'request_refused'],
    [[400, 'BadParameter'], 'UpdateSecret', 'client', 'request_refused'],
    [[403, 'AccessDenied'], 'SetSecret', 'client', 'permission_missing'],
    [[403, 'ForbiddenByRbac'], 'GetDeletedSecret', 'client', 'permission_missing'],
    [[403, 'ForbiddenByPolicy'], 'DeleteSecret', 'client', 'permission_missing'],
    [[403, 'ForbiddenByFirewall'], 'SetSecret', 'client', 'policy_refused', 'destination'],
    [[403, 'ForbiddenByConnection'], 'GetSecret', 'client', 'policy_refused', 'destination'],
    [[403, 'SecretDisabled'], 'GetSecret', 'client', 'precondition_failed'],
    [[404, 'SecretNotFound'], 'UpdateSecret', 'missing', 'not_found'],
    [[405, 'MethodNotAllowed'], 'SetSecret', 'client', 'request_refused'],
    [[408, 'RequestTimeout'], 'SetSecret', 'external', 'store_failed'],
    [[409, 'ObjectIsBeingRecovered'], 'DeleteSecret', 'external', 'recovery_under_way'],
    [[409, 'ObjectIsBeingDeleted'], 'UpdateSecret', 'external', 'deletion_under_way'],
    [[409, 'ConflictError'], 'SetSecret', 'external', 'store_busy'],
    [[413, 'RequestEntityTooLarge'], 'SetSecret', 'client', 'value_too_large'],
    [[429, 'Throttled'], 'UpdateSecret', 'throttled', 'rate_limited', 'destination'],
    [[500, 'InternalServerError'], 'SetSecret', 'external', 'store_failed'],
    [[502, 'BadGateway'], 'GetSecret', 'external', 'store_unavailable', 'destination'],
    [[503, 'ServiceUnavailable'], 'SetSecret', 'external', 'store_unavailable', 'destination'],
    [[504, 'GatewayTimeout'], 'DeleteSecret', 'external', 'store_unavailable', 'destination'],
    [
      { kind: 'denied' },
      'SetSecret',
      'client',
      'permission_missing',
      { what: 'a lack of rights', says: /secrets\/set/ },
    ],
    [{ kind: 'throttle' }, 'SetSecret', 'throttled', 'rate_limited', 'destination'],
    [
      { kind: 'throttle', retryAfterSeconds: 7 },
      'SetSecret',
      'throttled',
      'rate_limited',
      { what: '429 with Retry-After', scope: 'destination', waits: 7000 },
    ],
  ],
});

describe('cloud2-kv: limits of its own', () => {
  let fake: Cloud2KvFake;
  let session: Session;

  before(async () => {
    fake = await startCloud2KvFake();
    session = await openWarmSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  it("the vault's own limit of writes turns the surplus away as throttled", async () => {
    fake.addFault({ kind: 'limit', writes: 2, perMs: 60_000 });
    const puts = ['a', 'b', 'c'].map((name) => session.put(entry({ name }), calm()));
    const results = await Promise.allSettled(puts);
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(1);
    expect(fake.refusedCalls()).to.equal(1);
  });

  it('a vault at an address that nobody allowed is not called', async () => {
    const failure = await failureOf(openSession(fake, {}, { egressAllow: [] }));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'egress_refused']);
    expect(failure.message).to.contain('EGRESS_ALLOW');
    expect(fake.calls()).to.have.length(0);
  });
});
