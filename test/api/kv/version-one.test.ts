import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('KV version 1', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/old', { type: 'kv' });
  });
  after(() => sealift.stop());

  it('version 1 writes, reads, lists and deletes at the plain path', async () => {
    const { client } = sealift;
    expect(
      (await client.post('/v1/old/app/db', undefined, { raw: '{"n":12345678901234567890,"data":{"x":1}}' }))
        .status,
    ).to.equal(204);
    const answer = await client.get('/v1/old/app/db');
    expect(answer.status).to.equal(200);
    expect(answer.text).to.contain('"n":12345678901234567890');
    expect(answer.body.data.data).to.deep.equal({ x: 1 });
    expect((await client.list('/v1/old')).body.data.keys).to.deep.equal(['app/']);
    expect((await client.list('/v1/old/app')).body.data.keys).to.deep.equal(['db']);
    await client.post('/v1/old/app/db', { a: 'new' });
    expect((await client.get('/v1/old/app/db')).body.data).to.deep.equal({ a: 'new' });
    expect((await client.delete('/v1/old/app/db')).status).to.equal(204);
    expect((await client.get('/v1/old/app/db')).body).to.deep.equal({ errors: [] });
    expect((await client.list('/v1/old')).status).to.equal(404);
  });

  it('version 1 refuses a body without fields', async () => {
    for (const raw of ['', '{}', '[]', '5', '{']) {
      expect((await sealift.client.post('/v1/old/empty', undefined, { raw })).status, raw).to.equal(400);
    }
  });

  it('a tuned mount gets versions and keeps what it held', async () => {
    const { client } = sealift;
    await client.post('/v1/old/kept', { a: 1 });
    expect((await client.post('/v1/sys/mounts/old/tune', { options: { version: '2' } })).status).to.equal(
      204,
    );
    expect((await client.get('/v1/old/data/kept')).body.data).to.deep.include({ data: { a: 1 } });
    expect((await client.post('/v1/old/data/kept', { data: { a: 2 } })).body.data.version).to.equal(2);
    expect((await client.get('/v1/old/data/kept?version=1')).body.data.data).to.deep.equal({ a: 1 });
    const back = await client.post('/v1/sys/mounts/old/tune', { options: { version: '1' } });
    expect(back.status).to.equal(400);
  });
});
