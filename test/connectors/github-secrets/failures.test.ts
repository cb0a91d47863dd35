import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { failures } from '../../../services/connectors/github-secrets/failures.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { entryOf, failureOf, never, openSession, operations, type OpenOptions } from './support.ts';

const KEY = { name: 'TOKEN', reference: null };
const ALL = { scope: 'destination' } as const;

describeFailures({
  type: 'repo-host',
  failures,
  startFake: () => startRepoHostFake(),
  open: (fake, context) => openSession(fake, context),
  prepare: (fake) => fake.plant({ name: 'TOKEN', value: 'old' }),
  verbs: {
    getPublicKey: (session, _fake, signal) => session.check(signal, 'sealift-check'),
    getSecret: (session, _fake, signal) => session.read(KEY, signal),
    putSecret: (session, _fake, signal) => session.put(entryOf('TOKEN', HIDDEN_VALUE), signal),
    deleteSecret: (session, _fake, signal) => session.remove(KEY, signal),
  },
  words: ['container', 'permission', 'credential'],
  hidden: /ghp_valid|Server Error/,
  requestId: /^[0-9A-F]{20}$/,
  waits: { rate_limited: 60_000, store_busy: 1000 },
  redirect: ['client', 'repository_moved'],
  rows: [
    [
      { kind: 'throttle', status: 429, retryAfterSeconds: 7 },
      'putSecret',
      'throttled',
      'rate_limited',
      { what: '429 with Retry-After', ...ALL, waits: 7000 },
    ],
    [
      { kind: 'throttle', status: 403, retryAfterSeconds: 11 },
      'putSecret',
      'throttled',
      'rate_limited',
      { what: '403 with Retry-After', ...ALL, waits: 11_000 },
    ],
    [
      { kind: 'throttle', status: 403 },
      'putSecret',
      'throttled',
      'rate_limited',
      { what: 'a limit that is told in words', ...ALL },
    ],
    [
      { kind: 'throttle', status: 429 },
      'putSecret',
      'throttled',
      'rate_limited',
      { what: '429 without a time', ...ALL },
    ],
    [
      { kind: 'login-attempts' },
      'putSecret',
      'throttled',
      'rate_limited',
      { what: 'a sign-in that is closed for a while', ...ALL, says: /for a while/ },
    ],
    [
      { kind: 'revoked' },
      'putSecret',
      'client',
      'credentials_refused',
      { what: 'a revoked token', ...ALL, says: /set a new one/ },
    ],
    [
      { kind: 'single-sign-on' },
      'putSecret',
      'client',
      'permission_missing',
      { what: 'single sign-on', ...ALL, says: /acme\/web/ },
    ],
    [
      { kind: 'forbidden' },
      'putSecret',
      'client',
      'permission_missing',
      { what: 'a lack of rights', ...ALL, says: /lacks "secrets: write" on acme\/web/ },
    ],
    [403, 'putSecret', 'client', 'permission_missing', { ...ALL, says: /permission to write secrets/ }],
    [400, 'putSecret', 'client', 'request_refused'],
    [405, 'putSecret', 'client', 'request_refused'],
    [409, 'putSecret', 'external', 'store_busy'],
    [413, 'putSecret', 'client', 'value_too_large'],
    [422, 'putSecret', 'client', 'request_refused'],
    [451, 'putSecret', 'client', 'account_inactive', 'destination'],
    [500, 'putSecret', 'external', 'store_failed'],
    [502, 'putSecret', 'external', 'store_unavailable', 'destination'],
    [
      { kind: 'error', status: 503, retryAfterSeconds: 5 },
      'putSecret',
      'external',
      'store_unavailable',
      { what: '503 with Retry-After', ...ALL, waits: 5000 },
    ],
    [
      { kind: 'redirect' },
      'putSecret',
      'client',
      'repository_moved',
      { what: 'a redirect', ...ALL, says: /The token is not sent there/ },
    ],
    [{ kind: 'garbage' }, 'putSecret', 'external', 'unexpected_answer', { what: 'a portal page' }],
  ],
});

describe('repo-host: repositories, rights and addresses', () => {
  let fake: RepoHostFake;
  const sessions: Session[] = [];

  async function open(options: OpenOptions = {}): Promise<Session> {
    const session = await openSession(fake, { callTimeoutMs: 300, ...options });
    sessions.push(session);
    return session;
  }

  before(async () => {
    fake = await startRepoHostFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('the hourly limit waits until its reset by the clock of the store', async () => {
    const limited = await startRepoHostFake({ hourlyLimit: 2 });
    const session = await openSession(limited);
    await session.put(entryOf('TOKEN', 'one'), never);
    const error = await failureOf(session.put(entryOf('TOKEN', 'two'), never));
    expect(error).to.include({ kind: 'throttled', scope: 'destination' });
    expect(error.retryAfterMs).to.be.within(3_595_000, 3_600_000);
    await session.close?.();
    await limited.close();
  });

  it('a repository that is gone never reads as an absent or a deleted secret', async () => {
    const session = await open();
    await session.check(never, 'sealift-check');
    fake.removeRepository('acme/web');
    const gone = { kind: 'client', code: 'container_not_found', scope: 'destination' };
    expect(await failureOf(session.remove({ name: 'TOKEN', reference: null }, never))).to.include(gone);
    expect(await failureOf(session.put(entryOf('TOKEN', 'one'), never))).to.include(gone);
    const fresh = await open();
    expect(await failureOf(fresh.read({ name: 'TOKEN', reference: null }, never))).to.include(gone);
    expect(await failureOf(fresh.check(never, 'sealift-check'))).to.include(gone);
  });

  it('an environment that is missing is told from a repository that is', async () => {
    const session = await open({ settings: { environment_name: 'nowhere' } });
    const error = await failureOf(session.put(entryOf('TOKEN', 'one'), never));
    expect(error).to.include({ kind: 'client', code: 'container_not_found' });
    expect(error.message).to.contain('acme/web (environment nowhere)');
    const found = await failureOf(session.read({ name: 'TOKEN', reference: null }, never));
    expect(found.code).to.equal('container_not_found');
  });

  it('secrets that are hidden in a visible repository are a lack of rights', async () => {
    const session = await open();
    fake.addFault({ kind: 'hidden', operation: ['getSecret', 'getPublicKey'] });
    const error = await failureOf(session.read({ name: 'TOKEN', reference: null }, never));
    expect(error).to.include({ kind: 'client', code: 'permission_missing' });
    expect(error.message).to.contain('"secrets: write"');
  });

  it('a repository that was renamed is not followed', async () => {
    const session = await open();
    fake.rename('acme/web', 'acme/site');
    for (const attempt of [
      session.check(never, 'sealift-check'),
      session.put(entryOf('A', 'b'), never),
      session.remove({ name: 'A', reference: null }, never),
    ])
      expect((await failureOf(attempt)).code).to.equal('repository_moved');
    expect(fake.calls().every(({ status }) => status === 301 || status === 307)).to.equal(true);
  });

  it('`check` names the right that is missing', async () => {
    fake.restrictToken('ghp_reader', { secrets: 'read' });
    fake.restrictToken('ghp_nothing', { secrets: 'none' });
    fake.restrictToken('ghp_elsewhere', { repositories: ['acme/other'] });
    const failure = async (access_token: string, more = {}) =>
      failureOf((await open({ settings: { access_token, ...more } })).check(never, 'sealift-check'));
    expect((await failure('ghp_reader')).message).to.contain('lacks "secrets: write" on acme/web');
    expect((await failure('ghp_nothing')).message).to.contain('lacks "secrets: read" on acme/web');
    expect((await failure('ghp_reader', { environment_name: 'production' })).message).to.contain(
      '"environments: write"',
    );
    expect((await failure('ghp_elsewhere')).code).to.equal('container_not_found');
    expect((await failure('not-a-token')).code).to.equal('credentials_refused');
  });

  it('a full repository is named as the cause, and existing secrets can still be replaced', async () => {
    for (let index = 0; index < 100; index += 1) fake.plant({ name: `NAME_${index}`, value: 'x' });
    const session = await open();
    const error = await failureOf(session.put(entryOf('ONE_MORE', 'x'), never));
    expect(error).to.include({ kind: 'client', code: 'too_many_entries', scope: 'entry' });
    expect(error.message).to.contain('already has 100 secrets');
    await session.put(entryOf('NAME_7', 'new'), never);
    expect(fake.entries().find(({ name }) => name === 'NAME_7')?.value).to.equal('new');
  });

  it('a secret that is refused for another reason is tried with one key only', async () => {
    const session = await open();
    fake.addFault({ kind: 'error', status: 422, operation: 'putSecret' });
    await failureOf(session.put(entryOf('TOKEN', 'x'), never));
    expect(operations(fake)).to.deep.equal([
      'getPublicKey 200',
      'putSecret 422',
      'getPublicKey 200',
      'listSecrets 200',
    ]);
  });

  it('a special-purpose enterprise_url is refused before anything is sent', async () => {
    const error = await failureOf(open({ settings: { enterprise_url: fake.url } }));
    expect(error).to.include({ kind: 'client', code: 'egress_refused', scope: 'destination' });
    expect(fake.calls()).to.deep.equal([]);
  });

  it('an enterprise server that nobody runs is unreachable, for every entry alike', async () => {
    const settings = { enterprise_url: 'http://127.0.0.1:1' };
    const session = await open({ settings, egressAllow: ['127.0.0.1'] });
    const error = await failureOf(session.check(never, 'sealift-check'));
    expect(error).to.include({ kind: 'external', code: 'unreachable', scope: 'destination' });
  });

  it('a server without TLS on an https address is named as such', async () => {
    const settings = { enterprise_url: fake.url.replace('http:', 'https:') };
    const session = await open({ settings, egressAllow: ['127.0.0.1'] });
    const error = await failureOf(session.check(never, 'sealift-check'));
    expect(error).to.include({ kind: 'external', code: 'tls_failed', scope: 'destination' });
  });
});
