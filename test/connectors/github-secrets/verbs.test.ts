import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { destination } from '../../../services/connectors/github-secrets/destination.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { describeVerbs } from '../conformance/verbs.ts';
import { entryOf, never, openSession, operations, calm, type OpenOptions } from './support.ts';

describeVerbs({
  destination,
  startFake: () => startRepoHostFake(),
  open: (fake, context) => openSession(fake, context),
  name: 'TOKEN',
  reference: /^[\dT:.-]+Z\/[\dT:.-]+Z$/,
  ours: {},
  writes: { absent: 'putSecret', present: 'putSecret' },
  calls: {
    check: ['getPublicKey 200', 'deleteSecret 404'],
    create: ['putSecret 201', 'getSecret 200'],
    update: ['putSecret 204', 'getSecret 200'],
    read: ['getSecret 200'],
    readAbsent: ['getSecret 404'],
    remove: ['deleteSecret 204'],
    removeAbsent: ['deleteSecret 404', 'getPublicKey 200'],
  },
});

describe('repo-host: keys and environments', () => {
  let fake: RepoHostFake;
  const sessions: Session[] = [];

  async function open(options: OpenOptions = {}): Promise<Session> {
    const session = await openSession(fake, options);
    sessions.push(session);
    return session;
  }

  function valueOf(name: string): unknown {
    return fake.entries().find((entry) => entry.name === name)?.value;
  }

  before(async () => {
    fake = await startRepoHostFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('puts that start together share one fetch of the key', async () => {
    const session = await open();
    const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => session.put(entryOf(name, name), calm())));
    expect(fake.callsOf('getPublicKey')).to.have.length(1);
    expect(fake.callsOf('putSecret')).to.have.length(20);
    expect(names.every((name) => valueOf(name) === name)).to.equal(true);
  });

  it('a key that was replaced meanwhile is fetched anew and the put repeated once', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), never);
    fake.rotateKey('acme/web');
    fake.clearCalls();
    await session.put(entryOf('TOKEN', 'two'), never);
    expect(operations(fake)).to.deep.equal([
      'putSecret 422',
      'getPublicKey 200',
      'putSecret 204',
      'getSecret 200',
    ]);
    expect(valueOf('TOKEN')).to.equal('two');
    fake.clearCalls();
    await session.put(entryOf('TOKEN', 'three'), never);
    expect(operations(fake)).to.deep.equal(['putSecret 204', 'getSecret 200']);
  });

  it('twenty puts that meet a replaced key fetch the new one once', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), never);
    fake.rotateKey('acme/web');
    fake.clearCalls();
    const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => session.put(entryOf(name, name), calm())));
    expect(fake.callsOf('getPublicKey')).to.have.length(1);
    expect(names.every((name) => valueOf(name) === name)).to.equal(true);
  });

  it('an absent secret reads as null after one call that proves the access', async () => {
    const session = await open();
    expect(await session.read({ name: 'TOKEN', reference: null }, never)).to.equal(null);
    expect(await session.read({ name: 'OTHER', reference: null }, never)).to.equal(null);
    expect(operations(fake)).to.deep.equal(['getSecret 404', 'getPublicKey 200', 'getSecret 404']);
  });

  for (const environment of ['production', 'review/preview']) {
    it(`secrets of the environment ${environment} are kept apart from the repository's`, async () => {
      const session = await open({ settings: { environment_name: environment } });
      await session.check(never, 'sealift-check');
      await session.put(entryOf('TOKEN', 'one'), never);
      expect(fake.entries()).to.have.length(1);
      expect(fake.entries()[0]).to.include({ name: 'TOKEN', value: 'one', environment });
      expect(await session.read({ name: 'TOKEN', reference: null }, never)).to.not.equal(null);
      await session.remove({ name: 'TOKEN', reference: null }, never);
      expect(fake.entries()).to.deep.equal([]);
    });
  }

  it('secrets of an environment that was deleted count as removed', async () => {
    const session = await open({ settings: { environment_name: 'production' } });
    fake.removeEnvironment('acme/web', 'production');
    await session.remove({ name: 'TOKEN', reference: null }, never);
    expect(operations(fake)).to.deep.equal(['deleteSecret 404', 'getPublicKey 404', 'getRepository 200']);
  });

  it('an enterprise server is called below /api/v3 where the operator allows its address', async () => {
    const settings = { enterprise_url: `${fake.url}/` };
    const session = await open({ settings, egressAllow: ['127.0.0.0/8'] });
    await session.check(never, 'sealift-check');
    await session.put(entryOf('TOKEN', 'one'), never);
    expect(valueOf('TOKEN')).to.equal('one');
  });
});
