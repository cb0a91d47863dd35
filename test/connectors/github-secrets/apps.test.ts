import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { createAppKeys } from '../../sandbox/github-secrets/key-pair.ts';
import { eventually } from '../../support/eventually.ts';
import { calm, entryOf, failureOf, never, openSession, operations, type OpenOptions } from './support.ts';

const KEYS = createAppKeys();
const APP = { appId: 42, privateKey: KEYS.privateKey, installation: 7 };
const GIVEN = { id: 7, permissions: { secrets: 'write', environments: 'write' } } as const;

describe('repo-host: GitHub Apps', () => {
  let fake: RepoHostFake;
  const sessions: Session[] = [];

  async function open(options: OpenOptions = {}): Promise<Session> {
    const session = await openSession(fake, { app: APP, ...options });
    sessions.push(session);
    return session;
  }

  const install = (installation: object = {}, publicKey = KEYS.publicKey): void =>
    fake.apps.put({ id: APP.appId, publicKey, installations: [{ ...GIVEN, ...installation }] });
  const failure = async (options: OpenOptions = {}) =>
    failureOf((await open(options)).check(never, 'sealift-check'));

  before(async () => {
    fake = await startRepoHostFake();
  });
  beforeEach(() => install());
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('an app signs in once, and one token serves all calls', async () => {
    const session = await open();
    await session.check(never, 'sealift-check');
    const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => session.put(entryOf(name, name), calm())));
    expect(fake.callsOf('signIn')).to.have.length(1);
    expect(fake.entries()).to.have.length(20);
  });

  it('calls that start together share one sign-in', async () => {
    const session = await open();
    const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => session.put(entryOf(name, name), calm())));
    expect(fake.callsOf('signIn')).to.have.length(1);
  });

  it('short and long tokens work alike', async () => {
    for (const length of [40, 520]) {
      await (await open()).put(entryOf('TOKEN', `${length}`), never);
      expect(fake.apps.tokens().at(-1)).to.have.length(length);
      expect(fake.entries()[0]?.value).to.equal(`${length}`);
    }
  });

  it('the token is good for the one repository and the one permission only', async () => {
    await (await open()).put(entryOf('TOKEN', 'x'), never);
    const [token = ''] = fake.apps.tokens();
    const ask = async (path: string) =>
      (await fetch(`${fake.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask('/repos/acme/web/actions/secrets')).to.equal(200);
    expect(await ask('/repos/acme/other/actions/secrets')).to.equal(404);
    expect(await ask('/repos/acme/web/environments/production/secrets')).to.equal(403);
  });

  it('secrets of an environment are written with the permission for environments alone', async () => {
    install({ permissions: { environments: 'write' } });
    const session = await open({ settings: { environment_name: 'production' } });
    await session.put(entryOf('TOKEN', 'x'), never);
    expect(fake.entries()[0]).to.include({ environment: 'production', value: 'x' });
    fake.removeEnvironment('acme/web', 'production');
    await session.remove({ name: 'TOKEN', reference: null }, never);
  });

  it('tokens that last for two seconds are renewed under load without one failed put', async () => {
    fake.apps.lasting(2000);
    const session = await open();
    const end = Date.now() + 5000;
    let count = 0;
    while (Date.now() < end) {
      count += 4;
      const names = [1, 2, 3, 4].map((index) => `NAME_${index}`);
      await Promise.all(names.map((name) => session.put(entryOf(name, `${count}`), calm())));
    }
    expect(fake.callsOf('signIn').length).to.be.within(3, 10);
    expect(fake.calls().every(({ status }) => status < 400)).to.equal(true);
  });

  it('a new token that GitHub does not know yet is tried again until it does', async () => {
    fake.apps.settling(1200);
    await (await open()).put(entryOf('TOKEN', 'x'), never);
    expect(fake.callsOf('signIn')).to.have.length(1);
    expect(operations(fake)).to.include('getPublicKey 401').and.to.include('putSecret 201');
  });

  it('a caller that gives up ends the wait for a new token at once', async () => {
    fake.apps.settling(60_000);
    const session = await open();
    const controller = new AbortController();
    const put = failureOf(session.put(entryOf('TOKEN', 'x'), controller.signal));
    await eventually(() => fake.callsOf('getPublicKey').length > 0);
    controller.abort();
    expect((await put).code).to.equal('call_interrupted');
  });

  it('a token that GitHub takes back is replaced once, and the call repeated', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), never);
    await eventually(() => Date.now() - (fake.callsOf('signIn')[0]?.at ?? 0) > 5200);
    fake.apps.revokeAll();
    fake.clearCalls();
    await session.put(entryOf('TOKEN', 'two'), never);
    expect(operations(fake)).to.deep.equal(['putSecret 401', 'signIn 201', 'putSecret 204', 'getSecret 200']);
  });

  it('a check tries the key that the app has now, also while an earlier token is still good', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), never);
    install({}, createAppKeys().publicKey);
    expect((await failureOf(session.check(never, 'sealift-check'))).code).to.equal('app_refused');
    install();
    await session.check(never, 'sealift-check');
  });

  it('a sign-in that is refused says what a person must do', async () => {
    const other = createAppKeys();
    for (const [code, step, says, prepare] of [
      ['app_refused', 'credentials', /app_id/, () => install({}, other.publicKey)],
      ['installation_not_found', 'role', /installation_id/, () => install({ id: 8 })],
      ['installation_suspended', 'role', /suspended/, () => install({ suspended: true })],
      [
        'installation_too_narrow',
        'permission',
        /permission/,
        () => install({ permissions: { secrets: 'read' } }),
      ],
      [
        'installation_too_narrow',
        'permission',
        /repository/,
        () => install({ repositories: ['acme/other'] }),
      ],
    ] as const) {
      prepare();
      const error = await failure();
      expect(error).to.include({ kind: 'client', code, step, scope: 'destination' });
      expect(error.message).to.match(says);
    }
    expect(await failure({ app: null })).to.include({ kind: 'client', code: 'app_missing' });
  });

  it('an app that GitHub does not accept yet is tried again while the destination is new', async () => {
    install({}, createAppKeys().publicKey);
    let isNew = true;
    const session = await open({ isNew: () => isNew });
    const check = () => failureOf(session.check(never, 'sealift-check'));
    expect(await check()).to.include({ kind: 'external', code: 'app_unsettled', unsent: true });
    isNew = false;
    expect(await check()).to.include({ kind: 'client', code: 'app_refused' });
  });

  it('a limit or a fault of GitHub at the sign-in is no fault of the app', async () => {
    fake.addFault({ kind: 'throttle', status: 403, retryAfterSeconds: 7, operation: 'signIn', times: 1 });
    expect(await failure()).to.include({ kind: 'throttled', retryAfterMs: 7000 });
    fake.addFault({ kind: 'error', status: 502, operation: 'signIn', times: 1 });
    expect(await failure()).to.include({ kind: 'external', code: 'store_unavailable' });
    fake.addFault({ kind: 'garbage', status: 201, operation: 'signIn', times: 1 });
    expect(await failure()).to.include({ kind: 'external', code: 'unexpected_answer' });
  });

  it('a sign-in that is sent elsewhere is not followed', async () => {
    fake.addFault({ kind: 'redirect', operation: 'signIn', times: 1 });
    expect(await failure()).to.include({ kind: 'external', code: 'redirected', scope: 'destination' });
    expect(operations(fake)).to.deep.equal(['signIn 307']);
  });

  it('neither key nor token is in the words of a failure', async () => {
    install({ suspended: true });
    const { message } = await failure();
    expect(message).to.not.match(/ghs_|eyJ|PRIVATE/);
  });
});
