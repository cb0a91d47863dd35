import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { follow, FOLLOWER, tokenFor, untilHeard, type Follower } from './support.ts';

const SOON_MS = 10_000;

describe('the rights of a subscriber', () => {
  let sealift: Sealift;
  let root: Follower;
  const open: Follower[] = [];

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    root = await follow(sealift, '*');
    await untilHeard(sealift, root);
  });
  after(async () => {
    for (const one of [root, ...open]) one.socket.terminate();
    await sealift.stop();
  });

  const write = (path: string) => sealift.client.post(`/v1/secret/data/${path}`, { data: { a: 'b' } });

  async function followAs(name: string, paths: object, types = 'kv*'): Promise<Follower> {
    const follower = await follow(sealift, types, { token: await tokenFor(sealift, name, paths) });
    open.push(follower);
    return follower;
  }

  // The paths of the events that come, up to that of the write of `end`.
  async function hears(follower: Follower, end: string): Promise<string[]> {
    const paths: string[] = [];
    while (paths.at(-1) !== end) {
      const [message] = await follower.take(1);
      paths.push(message?.data.event.metadata['path'] ?? '');
    }
    return paths;
  }

  it('a subscriber hears of the paths that it may both read and subscribe to', async () => {
    const subscribe = { capabilities: ['subscribe'], subscribe_event_types: ['*'] };
    const follower = await followAs('some', {
      ...FOLLOWER,
      'secret/data/unread/*': subscribe,
      'secret/data/unfollowed/*': { capabilities: ['read'], subscribe_event_types: ['*'] },
      'secret/data/untyped/*': { capabilities: ['read', 'subscribe'] },
      'secret/data/denied/*': { capabilities: ['deny'] },
    });
    for (const path of ['unread/a', 'unfollowed/a', 'untyped/a', 'denied/a', 'other', 'app/a'])
      await write(path);
    expect(await hears(follower, 'secret/data/app/a')).to.deep.equal(['secret/data/app/a']);
  });

  it('a subscriber hears of the types that its rule names, and of those it asked for', async () => {
    const typed = {
      capabilities: ['read', 'subscribe'],
      subscribe_event_types: ['kv-v2/data-*', 'kv-v2/undelete'],
    };
    const paths = { ...FOLLOWER, 'secret/data/app/*': typed };
    const all = await followAs('typed', paths);
    const deletions = await followAs('typed', paths, 'kv-v2/data-delete');
    await write('app/typed');
    await sealift.client.delete('/v1/secret/data/app/typed');
    await sealift.client.post('/v1/secret/undelete/app/typed', { versions: [1] });
    await sealift.client.post('/v1/secret/destroy/app/typed', { versions: [1] });
    await write('app/typed');
    const types = (await all.take(4)).map(({ data }) => data.event_type);
    expect(types).to.deep.equal([
      'kv-v2/data-write',
      'kv-v2/data-delete',
      'kv-v2/undelete',
      'kv-v2/data-write',
    ]);
    expect((await deletions.take(1))[0]?.data.event_type).to.equal('kv-v2/data-delete');
    expect(deletions.left()).to.equal(0);
  });

  it('metadata and the configuration of a mount have paths of their own', async () => {
    const both = { capabilities: ['read', 'subscribe'], subscribe_event_types: ['*'] };
    const follower = await followAs('about', {
      ...FOLLOWER,
      'secret/metadata/app/*': both,
      'secret/config': both,
    });
    await sealift.client.post('/v1/secret/metadata/other/a', { max_versions: 2 });
    await sealift.client.post('/v1/secret/metadata/app/a', { max_versions: 2 });
    await sealift.client.post('/v1/secret/config', { max_versions: 9 });
    expect(await hears(follower, 'secret/config')).to.deep.equal(['secret/metadata/app/a', 'secret/config']);
  });

  it('a right that a changed policy takes away is gone within ten seconds', async () => {
    const follower = await followAs('changed', FOLLOWER);
    await write('app/before');
    await follower.take(1);
    await tokenFor(sealift, 'changed', { 'sys/events/subscribe/*': { capabilities: ['read'] } });
    await new Promise((resolve) => setTimeout(resolve, SOON_MS));
    await write('app/after');
    await root.take(root.left());
    expect(follower.left()).to.equal(0);
    expect(follower.socket.readyState).to.equal(follower.socket.OPEN);
  });

  it('a subscription ends within ten seconds without the right to subscribe', async () => {
    const follower = await followAs('ended', FOLLOWER);
    await tokenFor(sealift, 'ended', { 'secret/data/app/*': FOLLOWER['secret/data/app/*'] });
    expect((await follower.ended(SOON_MS)).code).to.equal(1008);
  });

  it('a subscription ends within ten seconds after its token is revoked', async () => {
    const token = await tokenFor(sealift, 'revoked', FOLLOWER);
    const follower = await follow(sealift, 'kv*', { token });
    await sealift.client.post('/v1/auth/token/revoke', { token });
    expect((await follower.ended(SOON_MS)).code).to.equal(1008);
  });

  it('a subscription hears nothing once its token has expired, and ends', async () => {
    await tokenFor(sealift, 'short', FOLLOWER);
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['short'], ttl: '2s' });
    const follower = await follow(sealift, 'kv*', { token: made.body.auth.client_token });
    await write('app/alive');
    await follower.take(1);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await write('app/expired');
    expect((await follower.ended(SOON_MS)).code).to.equal(1008);
    expect(follower.left()).to.equal(0);
  });

  it('a subscription ends within ten seconds after its namespace is deleted', async () => {
    await sealift.client.post('/v1/sys/namespaces/gone');
    const follower = await follow(sealift, 'kv*', { namespace: 'gone' });
    await sealift.client.delete('/v1/sys/namespaces/gone');
    expect((await follower.ended(SOON_MS)).code).to.equal(1008);
  });
});
