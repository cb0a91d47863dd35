import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('versions of KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const write = (path: string, data: unknown) => sealift.client.post(`/v1/secret/data/${path}`, { data });
  const read = (path: string, version = 0) =>
    sealift.client.get(`/v1/secret/data/${path}?version=${version}`);
  const metadata = async (path: string) =>
    (await sealift.client.get(`/v1/secret/metadata/${path}`)).body.data;
  const change = (verb: string, path: string, versions: unknown) =>
    sealift.client.post(`/v1/secret/${verb}/${path}`, { versions });

  async function writeMany(path: string, count: number): Promise<void> {
    for (let n = 1; n <= count; n += 1) await write(path, { n });
  }

  it('a deleted version reads as 404 with its metadata and no data, and can be taken back', async () => {
    await writeMany('soft', 2);
    expect((await sealift.client.delete('/v1/secret/data/soft')).status).to.equal(204);
    const deleted = await read('soft');
    expect(deleted.status).to.equal(404);
    expect(deleted.body.data.data).to.equal(null);
    expect(deleted.body.data.metadata).to.include({ version: 2, destroyed: false });
    expect(deleted.body.data.metadata.deletion_time).not.to.equal('');
    expect(deleted.body).to.include.keys('request_id', 'warnings', 'mount_type');
    expect((await read('soft', 1)).status).to.equal(200);
    expect((await change('undelete', 'soft', ['2'])).status).to.equal(204);
    expect((await read('soft')).body.data.data).to.deep.equal({ n: 2 });
  });

  it('a second delete keeps the first time, and a write after it begins with the next number', async () => {
    await writeMany('again', 1);
    await sealift.client.delete('/v1/secret/data/again');
    const first = (await read('again')).body.data.metadata.deletion_time;
    expect((await sealift.client.delete('/v1/secret/data/again')).status).to.equal(204);
    expect((await read('again')).body.data.metadata.deletion_time).to.equal(first);
    expect((await write('again', { n: 2 })).body.data.version).to.equal(2);
  });

  it('versions are taken as numbers, texts and a list in one text', async () => {
    await writeMany('lists', 6);
    expect((await change('delete', 'lists', [1, '2'])).status).to.equal(204);
    expect((await change('delete', 'lists', '3,4')).status).to.equal(204);
    expect((await change('delete', 'lists', 5)).status).to.equal(204);
    const { versions } = await metadata('lists');
    const isDeleted = Object.values(versions as Record<string, { deletion_time: string }>).map(
      (version) => version.deletion_time !== '',
    );
    expect(isDeleted).to.deep.equal([true, true, true, true, true, false]);
  });

  it('missing versions and missing secrets are ignored', async () => {
    await writeMany('unknown', 1);
    for (const verb of ['delete', 'undelete', 'destroy']) {
      expect((await change(verb, 'unknown', [0, 7, -1, 99999999999])).status).to.equal(204);
      expect((await change(verb, 'unknown-secret', [1])).status).to.equal(204);
    }
    expect((await sealift.client.delete('/v1/secret/data/unknown-secret')).status).to.equal(204);
    expect((await read('unknown')).status).to.equal(200);
    expect((await sealift.client.get('/v1/secret/metadata/unknown-secret')).status).to.equal(404);
  });

  it('a request that does not say which versions it means is refused', async () => {
    for (const [verb, text] of [
      ['delete', 'No version number provided'],
      ['undelete', 'No version number provided'],
      ['destroy', 'no version number provided'],
    ] as const) {
      for (const body of [{}, { versions: [] }, { versions: '' }]) {
        const answer = await sealift.client.post(`/v1/secret/${verb}/any`, body);
        expect(answer.status).to.equal(400);
        expect(answer.body.errors).to.deep.equal([text]);
      }
      expect((await change(verb, 'any', ['x'])).status).to.equal(400);
      expect((await change(verb, 'any', [1.5])).status).to.equal(400);
    }
  });

  it('a destroyed version has no value any more, and nothing brings it back', async () => {
    await writeMany('destroyed', 2);
    expect(
      (await sealift.client.call('PUT', '/v1/secret/destroy/destroyed', { versions: ['2'] })).status,
    ).to.equal(204);
    await change('undelete', 'destroyed', [2]);
    const answer = await read('destroyed');
    expect(answer.status).to.equal(404);
    expect(answer.body.data).to.deep.include({ data: null });
    expect(answer.body.data.metadata.destroyed).to.equal(true);
    const rows = await sealift.context
      .db('secret_versions')
      .where({ destroyed: true })
      .whereNotNull('sealed');
    expect(rows).to.deep.equal([]);
    expect((await write('destroyed', { n: 3 })).body.data.version).to.equal(3);
  });

  it('a secret keeps ten versions unless told otherwise, and says which is the oldest', async () => {
    await writeMany('ten', 10);
    expect((await metadata('ten')).oldest_version).to.equal(0);
    await writeMany('ten', 2);
    const { oldest_version: oldest, current_version: current, versions } = await metadata('ten');
    expect({ oldest, current }).to.deep.equal({ oldest: 3, current: 12 });
    expect(Object.keys(versions as object)).to.have.length(10);
    expect((await read('ten', 2)).status).to.equal(404);
  });

  it('a secret keeps as many versions as itself or its mount allows, the larger of the two', async () => {
    await sealift.client.post('/v1/sys/mounts/limits', { type: 'kv-v2' });
    await sealift.client.post('/v1/limits/config', { max_versions: '2' });
    await sealift.client.post('/v1/limits/metadata/more', { max_versions: 3 });
    await sealift.client.post('/v1/limits/metadata/less', { max_versions: 1 });
    for (const path of ['plain', 'more', 'less']) {
      for (let n = 1; n <= 5; n += 1) await sealift.client.post(`/v1/limits/data/${path}`, { data: { n } });
    }
    const count = async (path: string) =>
      Object.keys((await sealift.client.get(`/v1/limits/metadata/${path}`)).body.data.versions).length;
    expect([await count('plain'), await count('more'), await count('less')]).to.deep.equal([2, 3, 2]);
  });

  it('the next write drops what is beyond a lowered limit', async () => {
    await writeMany('lowered', 6);
    await sealift.client.post('/v1/secret/metadata/lowered', { max_versions: 2 });
    expect(Object.keys((await metadata('lowered')).versions)).to.have.length(6);
    await writeMany('lowered', 1);
    expect(Object.keys((await metadata('lowered')).versions)).to.deep.equal(['6', '7']);
  });

  describe('delete_version_after', () => {
    it('a version lives until its delete_version_after', async () => {
      await sealift.client.post('/v1/secret/metadata/short', { delete_version_after: '1s' });
      const written = await write('short', { n: 1 });
      const { created_time: created, deletion_time: ends } = written.body.data;
      expect(Date.parse(ends) - Date.parse(created)).to.equal(1000);
      expect((await read('short')).body.data.data).to.deep.equal({ n: 1 });
      await eventually(async () => (await read('short')).status === 404);
      expect((await read('short')).body.data.metadata.deletion_time).to.equal(ends);
      await change('undelete', 'short', [1]);
      expect((await read('short')).status).to.equal(200);
    });

    it('the shorter delete_version_after of secret and mount applies', async () => {
      await sealift.client.post('/v1/sys/mounts/lives', { type: 'kv-v2' });
      const lifetime = async (mount: string, secret: string) => {
        await sealift.client.post('/v1/lives/config', { delete_version_after: mount });
        await sealift.client.post('/v1/lives/metadata/s', { delete_version_after: secret });
        const { data } = (await sealift.client.post('/v1/lives/data/s', { data: {} })).body;
        return data.deletion_time === ''
          ? null
          : (Date.parse(data.deletion_time) - Date.parse(data.created_time)) / 1000;
      };
      expect(await lifetime('1h', '30m')).to.equal(1800);
      expect(await lifetime('20m', '30m')).to.equal(1200);
      expect(await lifetime('0', '1h30m')).to.equal(5400);
      expect(await lifetime('60', '0s')).to.equal(60);
      expect(await lifetime('-1s', '30m')).to.equal(null);
      expect((await sealift.client.get('/v1/lives/config')).body.data.delete_version_after).to.equal('-1s');
    });

    it('a delete ends a version before its time', async () => {
      await sealift.client.post('/v1/secret/metadata/early', { delete_version_after: '24h' });
      await write('early', { n: 1 });
      await sealift.client.delete('/v1/secret/data/early');
      expect((await read('early')).status).to.equal(404);
    });
  });

  it('a rollback writes the values of a version anew, with every digit, and shows none', async () => {
    const raw = '{"data":{"big":12345678901234567890,"float":1.10,"lines":"a\\r\\nb\\n"}}';
    await sealift.client.post('/v1/secret/data/back', undefined, { raw });
    await write('back', { other: 1 });
    const back = await sealift.client.post('/v1/secret/rollback/back', { version: 1, options: { cas: 2 } });
    expect(back.status).to.equal(200);
    expect(back.body.data).to.include({ version: 3, destroyed: false });
    expect(back.text).not.to.include('12345678901234567890');
    expect((await read('back')).text).to.include(
      '"data":{"big":12345678901234567890,"float":1.10,"lines":"a\\r\\nb\\n"}',
    );
    const named = await eventually(async () => {
      const { body } = await sealift.client.get('/v1/sys/story/secret/back');
      return body.data.story.find((line: { path?: string }) => line.path?.includes('rollback'));
    });
    expect(named.detail).to.deep.include({ from: 1, version: 3 });
  });

  it('a rollback over a newer version, or to one that has no values, changes nothing', async () => {
    await writeMany('stay', 3);
    await change('delete', 'stay', [1]);
    await change('destroy', 'stay', [2]);
    const roll = (body: object) => sealift.client.post('/v1/secret/rollback/stay', body);
    const refusals: [object, number, string][] = [
      [{ version: 3, options: { cas: 2 } }, 400, 'check-and-set'],
      [{ version: 1 }, 400, 'version 1 is deleted: undelete it first'],
      [{ version: 2 }, 400, 'version 2 is destroyed'],
      [{ version: 9 }, 404, 'there is no version 9'],
      [{}, 400, 'version'],
    ];
    for (const [body, status, text] of refusals) {
      const refused = await roll(body);
      expect([refused.status, refused.body.errors[0]], text).to.satisfy(
        ([found, error]: [number, string]) => found === status && error.includes(text),
      );
    }
    expect((await metadata('stay')).current_version).to.equal(3);
    expect((await sealift.client.post('/v1/secret/rollback/nothing', { version: 1 })).status).to.equal(404);
  });

  it('a rollback needs `update` on its own path, and no right to read values', async () => {
    await writeMany('rights', 2);
    const tokenWith = async (name: string, path: string) => {
      const policy = `path "${path}" { capabilities = ["update"] }`;
      await sealift.client.post(`/v1/sys/policies/acl/${name}`, { policy });
      const made = await sealift.client.post('/v1/auth/token/create', { policies: [name] });
      return { token: made.body.auth.client_token as string };
    };
    const roll = (options: { token: string }) =>
      sealift.client.post('/v1/secret/rollback/rights', { version: 1 }, options);
    expect((await roll(await tokenWith('writer', 'secret/data/rights'))).status).to.equal(403);
    expect((await roll(await tokenWith('roller', 'secret/rollback/rights'))).status).to.equal(200);
  });
});
