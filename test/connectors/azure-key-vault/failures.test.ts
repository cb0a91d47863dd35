import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { FailureDetails } from '../../../libs/connector/errors.ts';
import { failures } from '../../../services/connectors/azure-key-vault/failures.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { calm, entry, failureOf, KEY, MARK, NAME, openSession, openWarmSession } from './support.ts';

type Operation = 'SetSecret' | 'GetSecret' | 'GetDeletedSecret' | 'UpdateSecret' | 'DeleteSecret';
type Row = [
  status: number,
  code: string,
  operation: Operation,
  kind: FailureDetails['kind'],
  expected: string,
  scope?: 'destination',
];

const verbs: Record<Operation, (session: Session) => Promise<unknown>> = {
  SetSecret: (session) => session.put(entry({ expect: 'present' }), calm()),
  GetSecret: (session) => session.read({ ...KEY, name: NAME }, calm()),
  GetDeletedSecret: (session) => session.read({ ...KEY, name: 'absent' }, calm()),
  DeleteSecret: (session) => session.remove(KEY, calm()),
  UpdateSecret: async (session) => session.retag?.({ ...KEY, tags: { a: 'b' }, removed: [] }, calm()),
};

const rows: Row[] = [
  [400, 'BadParameter', 'SetSecret', 'client', 'request_refused'],
  [400, 'BadParameter', 'UpdateSecret', 'client', 'request_refused'],
  [403, 'AccessDenied', 'SetSecret', 'client', 'permission_missing'],
  [403, 'ForbiddenByRbac', 'GetDeletedSecret', 'client', 'permission_missing'],
  [403, 'ForbiddenByPolicy', 'DeleteSecret', 'client', 'permission_missing'],
  [403, 'ForbiddenByFirewall', 'SetSecret', 'client', 'policy_refused', 'destination'],
  [403, 'ForbiddenByConnection', 'GetSecret', 'client', 'policy_refused', 'destination'],
  [403, 'SecretDisabled', 'GetSecret', 'client', 'precondition_failed'],
  [404, 'SecretNotFound', 'UpdateSecret', 'missing', 'not_found'],
  [405, 'MethodNotAllowed', 'SetSecret', 'client', 'request_refused'],
  [408, 'RequestTimeout', 'SetSecret', 'external', 'store_failed'],
  [409, 'ObjectIsBeingRecovered', 'DeleteSecret', 'external', 'recovery_under_way'],
  [409, 'ObjectIsBeingDeleted', 'UpdateSecret', 'external', 'deletion_under_way'],
  [409, 'ConflictError', 'SetSecret', 'external', 'store_busy'],
  [413, 'RequestEntityTooLarge', 'SetSecret', 'client', 'value_too_large'],
  [429, 'Throttled', 'UpdateSecret', 'throttled', 'rate_limited', 'destination'],
  [500, 'InternalServerError', 'SetSecret', 'external', 'store_failed'],
  [502, 'BadGateway', 'GetSecret', 'external', 'store_unavailable', 'destination'],
  [503, 'ServiceUnavailable', 'SetSecret', 'external', 'store_unavailable', 'destination'],
  [504, 'GatewayTimeout', 'DeleteSecret', 'external', 'store_unavailable', 'destination'],
];

describe('cloud2-kv: failures', () => {
  let fake: Cloud2KvFake;
  let session: Session;

  before(async () => {
    fake = await startCloud2KvFake();
    session = await openWarmSession(fake);
  });
  beforeEach(() => {
    fake.reset();
    fake.plant({ name: NAME, value: 'present', tags: MARK });
  });
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  for (const [status, code, operation, kind, expected, scope = 'entry'] of rows)
    it(`the answer ${status} ${code} to ${operation} is ${kind} ${expected} of the ${scope}`, async () => {
      fake.addFault({ kind: 'error', status, code, operation });
      const failure = await failureOf(verbs[operation](session));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, expected, scope]);
      expect(failure.message).to.not.match(/Vendor detail|[{}]/);
      expect(failure.requestId).to.match(/^[\w-]{36}$/);
      expect(fake.callsOf(operation)).to.have.length(1);
    });

  it('every message of the table is a sentence that has no value to fill in but ours', () => {
    for (const { message } of failures.rows) {
      if (message === undefined) continue;
      expect(message).to.match(/^[A-Z{].*\.$/);
      expect(message.match(/\{\w+\}/g) ?? []).to.satisfy((names: string[]) =>
        names.every((name) => ['{operation}', '{permission}'].includes(name)),
      );
    }
  });

  it('a missing permission is named', async () => {
    fake.addFault({ kind: 'denied', operation: 'SetSecret' });
    expect((await failureOf(session.put(entry(), calm()))).message).to.contain('secrets/set');
  });

  it('throttling waits for as long as the vault says, a second where it says nothing', async () => {
    fake.addFault({ kind: 'throttle', operation: 'SetSecret', times: 1 });
    fake.addFault({ kind: 'throttle', operation: 'SetSecret', retryAfterSeconds: 7, times: 1 });
    const put = () => failureOf(session.put(entry({ expect: 'present' }), calm()));
    expect((await put()).retryAfterMs).to.equal(1000);
    expect((await put()).retryAfterMs).to.equal(7000);
    await session.put(entry({ expect: 'present' }), calm());
  });

  it("the vault's own limit of writes turns the surplus away as throttled", async () => {
    fake.addFault({ kind: 'limit', writes: 2, perMs: 60_000 });
    const puts = ['a', 'b', 'c'].map((name) => session.put(entry({ name }), calm()));
    const results = await Promise.allSettled(puts);
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(1);
    expect(fake.refusedCalls()).to.equal(1);
  });

  it('a failure with a body that is no JSON keeps its meaning', async () => {
    fake.addFault({ kind: 'garbage', status: 503, times: 1 });
    fake.addFault({ kind: 'garbage', times: 1 });
    const first = await failureOf(session.put(entry(), calm()));
    const second = await failureOf(session.put(entry(), calm()));
    expect([first.kind, first.code]).to.deep.equal(['external', 'store_unavailable']);
    expect([second.kind, second.code]).to.deep.equal(['external', 'unexpected_answer']);
    expect(first.message + second.message).to.not.contain('portal');
  });

  it('a page of a proxy with status 404 is not taken for a secret that is gone', async () => {
    fake.addFault({ kind: 'garbage', status: 404 });
    for (const operation of ['DeleteSecret', 'GetSecret', 'SetSecret'] as const) {
      const failure = await failureOf(verbs[operation](session));
      expect([failure.kind, failure.code]).to.deep.equal(['external', 'unexpected_answer']);
    }
    expect(fake.entries()).to.have.length(1);
  });

  for (const status of [302, 307, 308])
    it(`a redirect with status ${status} is not followed`, async () => {
      const other = await startCloud2KvFake();
      for (const location of [other.url, `${fake.url}/secrets/elsewhere`]) {
        fake.clearCalls();
        fake.addFault({ kind: 'redirect', status, location, times: 1 });
        const failure = await failureOf(session.read(KEY, calm()));
        expect([failure.kind, failure.code]).to.deep.equal(['external', 'redirected']);
        expect(fake.calls()).to.have.length(1);
      }
      expect(other.calls()).to.have.length(0);
      await other.close();
    });

  it('a cut connection is lost for one entry, a closed port is unreachable for all', async () => {
    fake.addFault({ kind: 'cut', times: 1 });
    const cut = await failureOf(session.read(KEY, calm()));
    const gone = await startCloud2KvFake();
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
    await lost.close?.();
    expect((await session.read(KEY, calm()))?.value).to.equal('present');
  });

  for (const kind of ['hang', 'hang-after'])
    it(`a call that never answers (${kind}) ends at the time limit`, async () => {
      const hasty = await openWarmSession(fake, {}, { callTimeoutMs: 500 });
      fake.addFault({ kind, operation: 'SetSecret', times: 1 });
      const failure = await failureOf(hasty.put(entry({ expect: 'present' }), calm()));
      expect([failure.kind, failure.code]).to.deep.equal(['external', 'timed_out']);
      await hasty.put(entry({ expect: 'present' }), calm());
      await hasty.close?.();
    });

  it('a call that never answers ends when the engine says so, and none is begun after that', async () => {
    fake.addFault({ kind: 'hang' });
    const abort = new AbortController();
    const verb = failureOf(session.read(KEY, abort.signal));
    abort.abort();
    expect((await verb).code).to.equal('call_interrupted');
    fake.clearCalls();
    expect((await failureOf(session.read(KEY, abort.signal))).code).to.equal('call_interrupted');
    expect(fake.calls()).to.have.length(0);
  });

  it('a vault at an address that nobody allowed is not called', async () => {
    const failure = await failureOf(openSession(fake, {}, { egressAllow: [] }));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'egress_refused']);
    expect(failure.message).to.contain('EGRESS_ALLOW');
    expect(fake.calls()).to.have.length(0);
  });
});
