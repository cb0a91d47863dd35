import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { listen } from '../sync/events.ts';
import { follow, untilHeard, type Follower } from './support.ts';

describe('events of changed secrets', () => {
  let sealift: Sealift;
  let follower: Follower;
  let accessor: string;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    accessor = (await sealift.client.get('/v1/sys/mounts/secret')).body.data.accessor;
    follower = await follow(sealift, 'kv*');
    await untilHeard(sealift, follower);
  });
  after(async () => {
    await follower.close();
    await sealift.stop();
  });

  const metadata = async (): Promise<Record<string, string>> => {
    const [message] = await follower.take(1);
    return message?.data.event.metadata ?? {};
  };

  it('an event is a CloudEvent as Vault writes it', async () => {
    await sealift.client.post('/v1/secret/data/app/db', { data: { password: 'hunter2' } });
    const [message] = await follower.take(1);
    if (!message) throw new Error('no event came');
    const { id, time, source, ...rest } = message;
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(Date.now() - Date.parse(time)).to.be.within(-1000, 10_000);
    expect(source).to.match(/^sealift:\/\/./);
    expect(rest).to.deep.equal({
      specversion: '1.0',
      type: '*',
      data: {
        event: {
          id,
          metadata: {
            current_version: '1',
            data_path: 'secret/data/app/db',
            modified: 'true',
            oldest_version: '0',
            operation: 'data-write',
            path: 'secret/data/app/db',
          },
        },
        event_type: 'kv-v2/data-write',
        plugin_info: {
          mount_accessor: accessor,
          mount_class: 'secret',
          mount_path: 'secret/',
          plugin: 'kv',
          version: '2',
        },
      },
      datacontentype: 'application/cloudevents',
    });
    expect(JSON.stringify(message)).not.to.contain('hunter2');
  });

  it('every change of a secret sends its event, with the paths and numbers that belong to it', async () => {
    const { client } = sealift;
    const { post } = client;
    const numbers = { current_version: '2', oldest_version: '0' };
    const data = { data_path: 'secret/data/all', path: 'secret/data/all' };
    const about = { data_path: 'secret/metadata/all', path: 'secret/metadata/all' };
    await post('/v1/secret/data/all', { data: { a: 'b' } });
    await follower.take(1);
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    const changes: [() => Promise<{ status: number }>, Record<string, string>][] = [
      [
        () => client.patch('/v1/secret/data/all', { data: { c: 'd' } }, merge),
        { operation: 'data-patch', ...numbers, ...data },
      ],
      [() => client.delete('/v1/secret/data/all'), { operation: 'data-delete', ...numbers, path: data.path }],
      [
        () => post('/v1/secret/undelete/all', { versions: [2] }),
        {
          operation: 'undelete',
          ...numbers,
          undeleted_versions: '[2]',
          path: 'secret/undelete/all',
          data_path: data.path,
        },
      ],
      [
        () => post('/v1/secret/delete/all', { versions: [1, 2] }),
        { operation: 'delete', ...numbers, deleted_versions: '[1,2]', path: 'secret/delete/all' },
      ],
      [
        () => post('/v1/secret/destroy/all', { versions: [1] }),
        { operation: 'destroy', ...numbers, destroyed_versions: '[1]', path: 'secret/destroy/all' },
      ],
      [() => post('/v1/secret/metadata/all', { max_versions: 3 }), { operation: 'metadata-write', ...about }],
      [
        () => client.patch('/v1/secret/metadata/all', { max_versions: 4 }, merge),
        { operation: 'metadata-patch', ...about },
      ],
      [() => client.delete('/v1/secret/metadata/all'), { operation: 'metadata-delete', path: about.path }],
      [
        () => post('/v1/secret/config', { max_versions: 5 }),
        { operation: 'config-write', path: 'secret/config', data_path: 'secret/config' },
      ],
    ];
    for (const [change, expected] of changes) {
      const { status } = await change();
      expect(status, expected['operation']).to.be.below(300);
      expect(await metadata()).to.deep.equal({ modified: 'true', ...expected });
    }
  });

  it('a rollback is told as the write that it is', async () => {
    for (const a of ['1', '2']) await sealift.client.post('/v1/secret/data/back', { data: { a } });
    await follower.take(2);
    await sealift.client.post('/v1/secret/rollback/back', { version: 1 });
    expect(await metadata()).to.include({ operation: 'data-write', current_version: '3' });
  });

  it('a request that changes nothing, or is refused, sends no event', async () => {
    const { client } = sealift;
    await client.delete('/v1/secret/data/absent');
    await client.delete('/v1/secret/metadata/absent');
    await client.post('/v1/secret/destroy/absent', { versions: [1] });
    await client.post('/v1/secret/metadata/absent', {});
    const refused = await client.post('/v1/secret/data/app/db', { data: {}, options: { cas: 99 } });
    expect(refused.status).to.equal(400);
    await client.post('/v1/secret/data/marker', { data: {} });
    expect((await metadata())['path']).to.equal('secret/data/marker');
  });

  it('changes of a busy moment go together, and each is heard once, those of a secret in order', async () => {
    const queue = await listen(sealift, 'secret.changed');
    try {
      const write = (name: string) => sealift.client.post(`/v1/secret/data/busy/${name}`, { data: {} });
      const chain = async (name: string): Promise<void> => {
        for (let version = 1; version <= 5; version += 1) await write(name);
      };
      const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
      await Promise.all(names.map(chain));
      const heard = (await follower.take(200)).map(({ data }) => data.event.metadata);
      for (const name of names) {
        const own = heard.filter(({ path }) => path === `secret/data/busy/${name}`);
        expect(own.map((one) => one['current_version'])).to.deep.equal(['1', '2', '3', '4', '5']);
      }
      expect(follower.left()).to.equal(0);
      expect(queue.left()).to.be.within(1, 199);
    } finally {
      await queue.stop();
    }
  });

  it('the path of a secret is nowhere in what the broker carries', async () => {
    const queue = await listen(sealift, '#');
    try {
      await sealift.client.post('/v1/secret/data/hidden/place', { data: { a: 'b' } });
      const carried = await queue.take(1);
      expect(carried[0]).to.have.keys('event', 'at', 'sealed');
      expect(carried[0]?.['event']).to.equal('secret.changed');
      expect(JSON.stringify(carried)).not.to.contain('hidden');
      await follower.take(1);
    } finally {
      await queue.stop();
    }
  });
});
