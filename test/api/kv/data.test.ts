import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('data of KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const write = (path: string, data: unknown, options?: object) =>
    sealift.client.post(`/v1/secret/data/${path}`, { data, ...(options ? { options } : {}) });
  const read = (path: string) => sealift.client.get(`/v1/secret/data/${path}`);

  it('a write answers with the metadata of the new version, and a read with data and metadata', async () => {
    const written = await write('first', { user: 'ada', nested: { list: [1, 'two', null] } });
    expect(written.status).to.equal(200);
    expect(written.body.data).to.include({
      version: 1,
      deletion_time: '',
      destroyed: false,
      custom_metadata: null,
    });
    expect(written.body).to.include({
      lease_id: '',
      renewable: false,
      warnings: null,
      auth: null,
      mount_type: 'kv',
    });
    const answer = await read('first');
    expect(answer.body.data.data).to.deep.equal({ user: 'ada', nested: { list: [1, 'two', null] } });
    expect(answer.body.data.metadata).to.deep.equal(written.body.data);
    expect(answer.headers['cache-control']).to.equal('no-store');
  });

  it('paths without /v1, with doubled and with trailing slashes answer alike, and so does PUT', async () => {
    const put = await sealift.client.call('PUT', '/secret//data/slashes/', { data: { a: 1 } });
    expect(put.status).to.equal(200);
    expect((await sealift.client.get('/v1/secret/data//slashes')).body.data.data).to.deep.equal({ a: 1 });
  });

  it('a body is taken whatever its content type says', async () => {
    const answer = await sealift.client.post('/v1/secret/data/form', undefined, {
      raw: '{"data":{"a":"b"}}',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).to.equal(200);
  });

  it('every digit of every number and every key is kept', async () => {
    const data =
      '{"big":123456789012345678901234567890,"small":1.00000000000000000001,"zero":-0,"exponent":1E400,"__proto__":{"polluted":true},"constructor":"c","text":"\\ud83d\\ude00é","half":"\\ud800"}';
    const options = { raw: `{"data":${data}}` };
    expect((await sealift.client.post('/v1/secret/data/digits', undefined, options)).status).to.equal(200);
    const { text } = await read('digits');
    for (const part of [
      '"big":123456789012345678901234567890',
      '"small":1.00000000000000000001',
      '"zero":-0',
      '"exponent":1E400',
      '"__proto__":{"polluted":true}',
      '"constructor":"c"',
      '"half":"\\ud800"',
    ]) {
      expect(text).to.contain(part);
    }
    expect((await read('digits')).body.data.data.text).to.equal('😀é');
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('an empty object is taken, and a body of 1 MiB but not one byte more', async () => {
    expect((await write('empty', {})).status).to.equal(200);
    const most = 1024 * 1024 - '{"data":{"v":""}}'.length;
    expect((await write('large', { v: 'x'.repeat(most) })).status).to.equal(200);
    expect((await read('large')).body.data.data.v).to.have.length(most);
    for (const more of [1, 10_000, 200_000]) {
      const refused = await write('large', { v: 'x'.repeat(most + more) });
      expect(refused.status).to.equal(413);
      expect(refused.body.errors[0]).to.contain('1048576 bytes');
    }
    expect((await read('large')).body.data.metadata.version).to.equal(1);
  });

  it('patches cannot grow a secret beyond 1 MiB either', async () => {
    const half = 'x'.repeat(600_000);
    expect((await write('grown', { one: half })).status).to.equal(200);
    const refused = await sealift.client.patch('/v1/secret/data/grown', { data: { two: half } });
    expect(refused.status).to.equal(413);
    expect(refused.body.errors[0]).to.contain('1048576 bytes');
    expect((await read('grown')).body.data.metadata.version).to.equal(1);
  });

  it('any version can be read, the current one as 0, and none that was never written', async () => {
    await write('versions', { n: 1 });
    await write('versions', { n: 2 });
    const readVersion = (version: string) =>
      sealift.client.get(`/v1/secret/data/versions?version=${version}`);
    expect((await readVersion('1')).body.data.data).to.deep.equal({ n: 1 });
    expect((await readVersion('0')).body.data.data).to.deep.equal({ n: 2 });
    expect((await readVersion('3')).status).to.equal(404);
    expect((await readVersion('99999999999999')).status).to.equal(404);
    expect((await readVersion('one')).status).to.equal(400);
    expect((await readVersion('-1')).status).to.equal(400);
  });

  it('a missing secret is a 404 with an empty list of errors', async () => {
    const answer = await read('nothing/here');
    expect(answer.status).to.equal(404);
    expect(answer.body).to.deep.equal({ errors: [] });
  });

  describe('check-and-set', () => {
    it('a write with cas replaces only the version it names', async () => {
      expect((await write('cas', { n: 1 }, { cas: 0 })).body.data.version).to.equal(1);
      const again = await write('cas', { n: 9 }, { cas: 0 });
      expect(again.status).to.equal(400);
      expect(again.body.errors).to.deep.equal(['check-and-set parameter did not match the current version']);
      expect((await write('cas', { n: 2 }, { cas: '1' })).body.data.version).to.equal(2);
      expect((await write('cas', { n: 9 }, { cas: 3 })).status).to.equal(400);
      expect((await read('cas')).body.data.data).to.deep.equal({ n: 2 });
    });

    it('a first write that cas refuses leaves no secret behind', async () => {
      expect((await write('cas-first', { n: 1 }, { cas: 5 })).status).to.equal(400);
      expect((await sealift.client.get('/v1/secret/metadata/cas-first')).status).to.equal(404);
    });

    it('a cas that is no version is refused', async () => {
      for (const cas of ['x', 1.5, '-x', null, true, [], [0], {}, '']) {
        const answer = await write('cas-bad', { n: 1 }, { cas });
        expect(answer.status, JSON.stringify(cas)).to.equal(400);
        expect(answer.body.errors).to.deep.equal(['error parsing check-and-set parameter']);
      }
    });

    it('a top-level cas does not count', async () => {
      const answer = await sealift.client.post('/v1/secret/data/cas-top', { data: { a: 1 }, cas: 7 });
      expect(answer.status).to.equal(200);
      expect(answer.body.warnings).to.deep.equal(['Endpoint ignored these unrecognized parameters: [cas]']);
    });

    it('a cas is required where the secret or the mount says so', async () => {
      await sealift.client.post('/v1/secret/metadata/cas-required', { cas_required: 'true' });
      const refused = await write('cas-required', { a: 1 });
      expect(refused.status).to.equal(400);
      expect(refused.body.errors).to.deep.equal(['check-and-set parameter required for this call']);
      expect((await write('cas-required', { a: 1 }, { cas: 0 })).status).to.equal(200);
      const patch = { data: { b: 2 } };
      expect((await sealift.client.patch('/v1/secret/data/cas-required', patch)).status).to.equal(400);
      const named = { ...patch, options: { cas: 1 } };
      expect((await sealift.client.patch('/v1/secret/data/cas-required', named)).status).to.equal(200);
    });

    it('exactly one of many writers with the same cas wins', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => write('race', { n }, { cas: 0 })),
      );
      expect(answers.filter((answer) => answer.status === 200)).to.have.length(1);
    });
  });

  it('every one of many writers gets a version of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => write('crowd', { n })));
    const versions = answers.map((answer) => answer.body.data.version).toSorted((a, b) => a - b);
    expect(versions).to.deep.equal(Array.from({ length: 12 }, (_, n) => n + 1));
  });

  describe('PATCH', () => {
    it('a patch merges into the current version, removes what is null and loses no digit', async () => {
      await sealift.client.post('/v1/secret/data/patch', undefined, {
        raw: '{"data":{"keep":12345678901234567890,"gone":1,"deep":{"a":1,"b":2},"list":[1,2]}}',
      });
      const answer = await sealift.client.call(
        'PATCH',
        '/v1/secret/data/patch',
        { data: { gone: null, deep: { b: null, c: { d: null, e: 5 } }, list: [3] }, options: { cas: 1 } },
        { headers: { 'content-type': 'application/merge-patch+json' } },
      );
      expect(answer.status).to.equal(200);
      expect(answer.body.data.version).to.equal(2);
      const { text, body } = await read('patch');
      expect(text).to.contain('"keep":12345678901234567890');
      const { keep: _, ...rest } = body.data.data;
      expect(rest).to.deep.equal({ deep: { a: 1, c: { e: 5 } }, list: [3] });
    });

    it('a patch with replace sets objects and null as they are, and remove takes keys away', async () => {
      await write('replaced', { deep: { a: 1, b: 2 }, none: 1, gone: 1, kept: 'x' });
      const answer = await sealift.client.patch('/v1/secret/data/replaced', undefined, {
        raw: '{"data":{"deep":{"c":12345678901234567890},"none":null,"__proto__":{"d":1}},"options":{"cas":1,"replace":true,"remove":["gone","never"]}}',
      });
      expect(answer.status).to.equal(200);
      expect((await read('replaced')).text).to.contain(
        '"data":{"deep":{"c":12345678901234567890},"none":null,"kept":"x","__proto__":{"d":1}}',
      );
    });

    it('a patch whose options cannot be meant is refused, and nothing is written', async () => {
      await write('odd-options', { a: 1 });
      const options = [{ replace: 'perhaps' }, { remove: { a: 1 } }, { remove: ['b'] }];
      for (const one of options) {
        const body = { data: { b: 2 }, options: one };
        const answer = await sealift.client.patch('/v1/secret/data/odd-options', body);
        expect(answer.status, JSON.stringify(one)).to.equal(400);
      }
      expect((await read('odd-options')).body.data.data).to.deep.equal({ a: 1 });
    });

    it('a patch takes application/json, but no other content type', async () => {
      const send = (type: string) =>
        sealift.client.patch(
          '/v1/secret/data/patch',
          { data: { x: 1 } },
          { headers: { 'content-type': type } },
        );
      expect((await send('application/json; charset=utf-8')).status).to.equal(200);
      const refused = await send('text/plain');
      expect(refused.status).to.equal(415);
      expect(refused.body.errors[0]).to.equal(
        'PATCH requires Content-Type of application/merge-patch+json, provided text/plain',
      );
    });

    it('a patch fails where no version is live', async () => {
      expect((await sealift.client.patch('/v1/secret/data/patch-none', { data: { a: 1 } })).status).to.equal(
        404,
      );
      await write('patch-deleted', { a: 1 });
      await sealift.client.delete('/v1/secret/data/patch-deleted');
      const answer = await sealift.client.patch('/v1/secret/data/patch-deleted', { data: { b: 1 } });
      expect(answer.status).to.equal(404);
      expect(answer.body.data).to.include({ version: 1, destroyed: false });
      expect(answer.body.data.deletion_time).not.to.equal('');
    });

    it('a patch checks the version it is told', async () => {
      await write('patch-cas', { a: 1 });
      const answer = await sealift.client.patch('/v1/secret/data/patch-cas', {
        data: { b: 1 },
        options: { cas: 7 },
      });
      expect(answer.status).to.equal(400);
    });
  });

  it('a value that cannot be opened is never mistaken for a missing one', async () => {
    await write('damaged', { a: 1 });
    await sealift.context.db.raw(
      `UPDATE secret_versions SET sealed = set_byte(sealed, 90, get_byte(sealed, 90) # 1)
       WHERE secret_id = (SELECT id FROM secrets WHERE path = 'damaged')`,
    );
    const answer = await read('damaged');
    expect(answer.status).to.equal(500);
    expect(answer.body.errors).to.have.length(1);
  });

  it('no value can be read in the database', async () => {
    await write('sealed', { password: 'correct horse battery staple' });
    const rows: { sealed: Buffer }[] = await sealift.context.db('secret_versions').select('sealed');
    expect(rows.some((row) => row.sealed?.includes('battery'))).to.equal(false);
  });
});
