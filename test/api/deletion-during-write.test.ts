import { expect } from 'chai';
import type { Answer } from '../support/client.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('deletion during a write', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { AMBIENT_CREDENTIALS: 'all' } });
  });
  after(() => sealift.stop());

  // The write finds the row and waits until its deletion ends.
  const race = async (table: string, path: string, write: () => Promise<Answer>): Promise<Answer> => {
    let answer: Promise<Answer> | undefined;
    await sealift.context.db.transaction(async (deletion) => {
      await deletion(table).where({ path }).delete();
      answer = write();
      await untilWaiting(sealift.context.db, 1);
    });
    return answer ?? expect.fail('nothing was written');
  };

  it('a mount takes no write once it is deleted, whatever is written', async () => {
    const { client } = sealift;
    for (const [version, path, body] of [
      ['2', 'data/a', { data: { a: 1 } }],
      ['2', 'metadata/a', { max_versions: 3 }],
      ['1', 'a', { a: 1 }],
    ] as const) {
      await client.post('/v1/sys/mounts/brief', { type: 'kv', options: { version } });
      const answer = await race('mounts', 'brief', () => client.post(`/v1/brief/${path}`, body));
      expect([answer.status, answer.body], path).to.deep.equal([404, { errors: [] }]);
    }
  });

  it('a namespace takes no write once it is deleted, whatever is written', async () => {
    const { client } = sealift;
    const inside = { namespace: 'brief' };
    for (const [path, body] of [
      ['sys/policies/acl/p', { path: {} }],
      ['sys/mounts/kv', { type: 'kv-v2' }],
      ['sys/sync/destinations/cloud1-sm/d', {}],
    ] as const) {
      await client.post('/v1/sys/namespaces/brief');
      const answer = await race('namespaces', 'brief', () => client.post(`/v1/${path}`, body, inside));
      expect([answer.status, answer.body], path).to.deep.equal([404, { errors: [] }]);
    }
  });

  it('a mount goes as soon as its last reader ends, though both wait for each other', async () => {
    const { client, context } = sealift;
    await client.post('/v1/sys/mounts/held', { type: 'kv-v2' });
    await client.post('/v1/held/data/a', { data: { a: 1 } });
    const [holder, reader] = await Promise.all([context.db.transaction(), context.db.transaction()]);
    // Postgres looks for a circle once in each wait, so the deletion must close it, as soon as the holder lets go.
    await reader.raw("SET LOCAL deadlock_timeout = '60s'");
    await reader('secrets').where({ path: 'a' }).forShare().first('id');
    await holder('mounts').where({ path: 'held' }).forUpdate().first('id');
    const deleting = client.delete('/v1/sys/mounts/held');
    await untilWaiting(context.db, 1);
    const reading = reader('mounts').where({ path: 'held' }).forShare().first('id');
    await Promise.all([reading, untilWaiting(context.db, 2).then(() => holder.commit())]);
    await reader.commit();
    expect((await deleting).status).to.equal(204);
    expect((await client.get('/v1/sys/mounts/held')).status).to.equal(400);
  });
});
