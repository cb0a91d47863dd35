import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { entryOf, failureOf, never, openSession, operations, type OpenOptions } from './support.ts';

describe('repo-host: failures', () => {
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

  it('a server that nobody runs is unreachable, for every entry alike', async () => {
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

  it('a call that is stopped from outside ends at once', async () => {
    const session = await open({ callTimeoutMs: 60_000 });
    fake.addFault({ kind: 'hang' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    expect((await failureOf(session.put(entryOf('TOKEN', 'x'), stop.signal))).code).to.equal(
      'call_interrupted',
    );
  });
});
