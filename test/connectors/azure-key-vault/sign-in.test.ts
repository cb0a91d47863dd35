import { inspect } from 'node:util';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { FailureDetails } from '../../../libs/connector/errors.ts';
import { type Cloud2KvFake, startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { OTHER_TENANT } from '../../sandbox/given-out.ts';
import {
  calm,
  entry,
  environmentOf,
  failureOf,
  KEY,
  openSession,
  openWarmSession,
  operationsOf,
  TENANT,
} from './support.ts';

describe('cloud2-kv: sign-in', () => {
  let fake: Cloud2KvFake;
  const open: Session[] = [];
  const keep = async (opening: Promise<Session>): Promise<Session> => {
    const session = await opening;
    open.push(session);
    return session;
  };

  before(async () => {
    fake = await startCloud2KvFake();
  });
  beforeEach(() => fake.reset());
  afterEach(async () => {
    for (const session of open.splice(0)) await session.close?.();
  });
  after(() => fake.close());

  const tokens = () => fake.authority.callsOf('Token').length;

  it('the first call answers the challenge and the next ones keep the token', async () => {
    const session = await keep(openSession(fake));
    await session.put(entry(), calm());
    await session.put(entry({ expect: 'present' }), calm());
    expect(operationsOf(fake)).to.deep.equal(['Challenge', 'SetSecret', 'SetSecret']);
    expect(tokens()).to.equal(1);
  });

  it('first calls side by side ask for one token, and none loses its value', async () => {
    const session = await keep(openSession(fake));
    const names = Array.from({ length: 20 }, (_, index) => `n-${index}`);
    await Promise.all(names.map((name) => session.put(entry({ name, value: `value of ${name}` }), calm())));
    expect(fake.callsOf('Challenge')).to.have.length(1);
    expect(tokens()).to.equal(1);
    const values = fake.entries().map(({ name, value }) => value === `value of ${name}`);
    expect(values).to.deep.equal(names.map(() => true));
  });

  it('a token near its end is replaced before it ends', async () => {
    fake.authority.setTokenLife(200);
    const session = await keep(openSession(fake));
    await session.put(entry(), calm());
    fake.authority.setTokenLife(170);
    await session.put(entry({ expect: 'present' }), calm());
    expect(tokens()).to.equal(1);
    await session.close?.();

    const brief = await keep(openSession(fake));
    await brief.put(entry(), calm());
    await brief.put(entry({ expect: 'present' }), calm());
    expect(tokens()).to.equal(3);
  });

  it('tokens that lost their worth before their time are replaced without a failure', async () => {
    const session = await keep(openWarmSession(fake));
    fake.authority.tokens.revokeAll();
    await Promise.all(['a', 'b', 'c'].map((name) => session.put(entry({ name, value: name }), calm())));
    expect(tokens()).to.equal(1);
    expect(fake.entries().map(({ value }) => value)).to.have.members(['a', 'b', 'c']);
  });

  it('a token that the vault refuses for good stops the whole destination', async () => {
    const session = await keep(openWarmSession(fake));
    fake.addFault({ kind: 'revoked' });
    for (const verb of [session.check(calm(), 'sealift-check'), session.put(entry(), calm())]) {
      const failure = await failureOf(verb);
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'credentials_refused',
        'destination',
      ]);
      expect(failure.requestId).to.match(/^[\w-]{36}$/);
    }
    fake.clearFaults();
    await session.put(entry(), calm());
  });

  it('a revoked client secret is said to be wrong, and a session that had it before still fails', async () => {
    const session = await keep(openWarmSession(fake));
    fake.authority.revoke('application');
    fake.authority.tokens.revokeAll();
    const failure = await failureOf(session.check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
      'client',
      'credentials_refused',
      'destination',
    ]);
    expect(failure.message).to.contain('client_secret');
    expect(failure.requestId).to.match(/^[\w-]{36}$/);
  });

  const rows: [number, status: number | undefined, FailureDetails['kind'], code: string][] = [
    [7000215, 401, 'client', 'credentials_refused'],
    [7000222, 401, 'client', 'credentials_refused'],
    [700016, 400, 'client', 'credentials_refused'],
    [7000112, 401, 'client', 'account_inactive'],
    [90002, 400, 'client', 'credentials_refused'],
    [53003, 400, 'client', 'policy_refused'],
    [90033, 400, 'external', 'store_unavailable'],
    [50033, 400, 'external', 'store_unavailable'],
    [50087, 401, 'external', 'store_unavailable'],
    [123456, 400, 'client', 'credentials_refused'],
    [90033, 503, 'external', 'store_unavailable'],
    [50000, 500, 'external', 'store_unavailable'],
  ];
  for (const [number, status, kind, code] of rows)
    it(`AADSTS${number} with status ${status} is ${kind} ${code} of the whole destination`, async () => {
      fake.authority.addFault({
        kind: 'error',
        operation: 'Token',
        code: String(number),
        ...(status === undefined ? {} : { status }),
      });
      const session = await keep(openSession(fake));
      const failure = await failureOf(session.put(entry(), calm()));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([kind, code, 'destination']);
      expect(failure.message).to.not.match(/AADSTS|Vendor detail|Trace/);
      expect(tokens()).to.equal(1);
      expect(fake.callsOf('SetSecret')).to.have.length(0);
      fake.authority.clearFaults();
      await session.put(entry(), calm());
    });

  it('a sign-in service that asks to wait is obeyed to the second', async () => {
    fake.authority.addFault({ kind: 'throttle', operation: 'Token', retryAfterSeconds: 17, times: 1 });
    const session = await keep(openSession(fake));
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.kind, failure.scope, failure.retryAfterMs]).to.deep.equal([
      'throttled',
      'destination',
      17_000,
    ]);
    await session.put(entry(), calm());
  });

  it('a sign-in service that fails at its first call, its discovery, is an outage', async () => {
    fake.authority.addFault({ kind: 'error', operation: 'Discover', times: 1 });
    const session = await keep(openSession(fake));
    expect((await failureOf(session.check(calm(), 'sealift-check'))).code).to.equal('store_unavailable');
    await session.check(calm(), 'sealift-check');
  });

  for (const [kind, code] of [
    ['cut', 'connection_lost'],
    ['garbage', 'unexpected_answer'],
    ['redirect', 'redirected'],
  ] as const)
    it(`a sign-in service whose answer is a ${kind} is ${code}, and tried again`, async () => {
      const other = await startCloud2KvFake();
      fake.authority.addFault({ kind, operation: 'Token', location: other.authority.url, times: 1 });
      const session = await keep(openSession(fake));
      const failure = await failureOf(session.put(entry(), calm()));
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal(['external', code, 'destination']);
      expect(other.authority.calls()).to.have.length(0);
      await other.close();
      await session.put(entry(), calm());
    });

  it('a sign-in service that never answers ends at the time limit, for all that wait for it', async () => {
    fake.authority.addFault({ kind: 'hang', operation: 'Token' });
    const session = await keep(openSession(fake, {}, { callTimeoutMs: 100 }));
    const failures = await Promise.all(
      [1, 2, 3].map((number) => failureOf(session.read({ ...KEY, name: `n-${number}` }, calm()))),
    );
    expect(failures.map(({ kind, code }) => [kind, code])).to.deep.equal(
      failures.map(() => ['external', 'timed_out']),
    );
  });

  it('a vault of another tenant is told from a wrong secret', async () => {
    fake.setTenant(OTHER_TENANT);
    const session = await keep(openSession(fake));
    const failure = await failureOf(session.check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'credentials_refused']);
    expect(tokens()).to.equal(0);
    fake.setTenant(TENANT);
    const named = await keep(openSession(fake, { tenant_id: 'acme.onmicrosoft.com' }));
    await named.check(calm(), 'sealift-check');
    fake.setTenant(TENANT.toUpperCase());
    await (await keep(openSession(fake))).check(calm(), 'sealift-check');
  });

  it('no failure shows the client secret or the value', async () => {
    fake.authority.addFault({ kind: 'error', operation: 'Token', code: '7000215', status: 401 });
    const session = await keep(openSession(fake));
    const failure = await failureOf(session.put(entry({ value: 'top~value' }), calm()));
    expect(inspect(failure, { depth: 9, showHidden: true })).to.not.match(/client~secret|top~value/);
  });

  it('a sign-in service with a certificate nobody vouches for is not told the secret', async () => {
    const environment = environmentOf(fake);
    const session = await keep(
      openSession(
        fake,
        {},
        { environment: (name) => (name === 'NODE_EXTRA_CA_CERTS' ? undefined : environment(name)) },
      ),
    );
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'certificate_refused']);
    expect(failure.message).to.contain('NODE_EXTRA_CA_CERTS');
    expect(tokens()).to.equal(0);
  });

  it('a sign-in service without TLS is refused before anything is sent', async () => {
    const environment = (name: string) =>
      name === 'SEALIFT_AZURE_AUTHORITY_HOST' ? 'http://127.0.0.1:9' : undefined;
    const failure = await failureOf(openSession(fake, {}, { environment }));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'configuration_invalid']);
    expect(fake.calls()).to.have.length(0);
  });

  it('a sign-in service that only SEALIFT_AZURE_AUTHORITY_HOST names is not called', async () => {
    const uri = fake.url.replace('127.0.0.1', 'localhost');
    const session = await keep(openSession(fake, { key_vault_uri: uri }, { egressAllow: ['localhost'] }));
    const failure = await failureOf(session.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'egress_refused']);
    expect(failure.message).to.contain('SEALIFT_AZURE_AUTHORITY_HOST');
    expect(fake.authority.calls()).to.have.length(0);
  });
});
