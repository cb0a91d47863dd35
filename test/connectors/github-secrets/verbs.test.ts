import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { entryOf, never, openSession, operations, unstopped, type OpenOptions } from './support.ts';

describe('repo-host: verbs', () => {
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

  it('the first put fetches the key, and each looks at the times that it left', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), never);
    expect(reference).to.match(/^[\dT:.-]+Z\/[\dT:.-]+Z$/);
    await session.put(entryOf('TOKEN', 'two'), never);
    await session.put(entryOf('OTHER', 'three'), never);
    expect(operations(fake)).to.deep.equal([
      'getPublicKey 200',
      'putSecret 201',
      'getSecret 200',
      'putSecret 204',
      'getSecret 200',
      'putSecret 201',
      'getSecret 200',
    ]);
    expect([valueOf('TOKEN'), valueOf('OTHER')]).to.deep.equal(['two', 'three']);
  });

  it('any text arrives unchanged: empty, several scripts, line ends, 48 KB', async () => {
    const session = await open();
    for (const value of ['', 'π ☃ 😀 \u0000\r\n\t', '{"a":1}', 'x'.repeat(48 * 1024)]) {
      await session.put(entryOf('TOKEN', value), never);
      expect(valueOf('TOKEN')).to.equal(value);
    }
  });

  it('puts that start together share one fetch of the key', async () => {
    const session = await open();
    const names = Array.from({ length: 20 }, (_, index) => `NAME_${index}`);
    await Promise.all(names.map((name) => session.put(entryOf(name, name), unstopped())));
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
    await Promise.all(names.map((name) => session.put(entryOf(name, name), unstopped())));
    expect(fake.callsOf('getPublicKey')).to.have.length(1);
    expect(names.every((name) => valueOf(name) === name)).to.equal(true);
  });

  it('a read tells presence and time of the last change, never a value', async () => {
    const session = await open();
    await session.put(entryOf('TOKEN', 'one'), never);
    const found = await session.read({ name: 'TOKEN', reference: null }, never);
    expect(found).to.include({ owner: 'unmarked', value: null });
    expect(found?.changedAt?.getTime()).to.be.closeTo(Date.now(), 3000);
  });

  it('an absent secret reads as null after one call that proves the access', async () => {
    const session = await open();
    expect(await session.read({ name: 'TOKEN', reference: null }, never)).to.equal(null);
    expect(await session.read({ name: 'OTHER', reference: null }, never)).to.equal(null);
    await session.put(entryOf('TOKEN', 'one', 'absent'), never);
    expect(operations(fake)).to.deep.equal([
      'getSecret 404',
      'getPublicKey 200',
      'getSecret 404',
      'putSecret 201',
      'getSecret 200',
    ]);
  });

  it('a removal is one call, and a secret that is gone already counts as removed', async () => {
    const session = await open();
    fake.plant({ name: 'TOKEN', value: 'one' });
    fake.plant({ name: 'OTHERS', value: 'theirs' });
    await session.remove({ name: 'TOKEN', reference: null }, never);
    expect(operations(fake)).to.deep.equal(['deleteSecret 204']);
    await session.remove({ name: 'TOKEN', reference: null }, never);
    expect(operations(fake).slice(1)).to.deep.equal(['deleteSecret 404', 'getPublicKey 200']);
    expect(fake.entries().map(({ name }) => name)).to.deep.equal(['OTHERS']);
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

  it('`check` reads the key and deletes a name that cannot exist, and changes nothing', async () => {
    fake.plant({ name: 'OTHERS', value: 'theirs' });
    const session = await open();
    await session.check(never, 'sealift-check');
    expect(operations(fake)).to.deep.equal(['getPublicKey 200', 'deleteSecret 404']);
    expect(fake.entries().map(({ name }) => name)).to.deep.equal(['OTHERS']);
  });

  it('a put whose answer was lost can be repeated without harm', async () => {
    const session = await open();
    fake.addFault({ kind: 'cut-after', operation: 'putSecret', times: 1 });
    await session.put(entryOf('TOKEN', 'one', 'absent'), never).catch(() => undefined);
    await session.put(entryOf('TOKEN', 'one', 'absent'), never);
    expect(valueOf('TOKEN')).to.equal('one');
  });
});
