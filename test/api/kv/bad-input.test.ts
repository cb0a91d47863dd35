import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('bad input to KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('a write without data, or with data that is no object, is refused', async () => {
    for (const body of [undefined, {}, { data: null }, { options: {} }]) {
      const answer = await sealift.client.post('/v1/secret/data/bad', body);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.deep.equal(['no data provided']);
    }
    for (const data of [[1], 5, true, 'no json', '[1]']) {
      const answer = await sealift.client.post('/v1/secret/data/bad', { data });
      expect(answer.status, JSON.stringify(data)).to.equal(400);
      expect(answer.body.errors).to.have.length(1);
    }
    expect((await sealift.client.get('/v1/secret/metadata/bad')).status).to.equal(404);
  });

  it('data is taken as a JSON text, as command lines send it', async () => {
    await sealift.client.post('/v1/secret/data/text', { data: '{"a":"b"}' });
    expect((await sealift.client.get('/v1/secret/data/text')).body.data.data).to.deep.equal({ a: 'b' });
  });

  it('options are taken however command lines write them, and meaningless ones are refused', async () => {
    const write = (options: unknown) =>
      sealift.client.post('/v1/secret/data/options', { data: { a: 1 }, options });
    for (const options of [null, '', {}, '{}', { cas: '4' }, '{"cas":5}', 'cas=6', ['cas=7']]) {
      expect((await write(options)).status, JSON.stringify(options)).to.equal(200);
    }
    for (const options of [7, true, 'seven', '[7]', [7], '{"cas":', { cas: null }, '{"cas":"x"}']) {
      const answer = await write(options);
      expect(answer.status, JSON.stringify(options)).to.equal(400);
      expect(answer.body.errors).to.deep.equal(['error parsing check-and-set parameter']);
    }
    for (const options of ['{"cas":7}', 'cas=7', { cas: 7 }]) {
      for (const method of ['POST', 'PATCH'])
        expect(
          (await sealift.client.call(method, '/v1/secret/data/options', { data: { a: 2 }, options })).body
            .errors,
          JSON.stringify(options),
        ).to.deep.equal(['check-and-set parameter did not match the current version']);
    }
    expect((await sealift.client.get('/v1/secret/data/options')).body.data).to.have.nested.property(
      'metadata.version',
      8,
    );
  });

  it('a list of versions may have 1,000 entries, and a longer one is refused', async () => {
    await sealift.client.post('/v1/secret/data/many', { data: { a: 1 } });
    const versions = Array.from({ length: 1000 }, (_, index) => index + 1);
    for (const verb of ['delete', 'undelete', 'destroy']) {
      const path = `/v1/secret/${verb}/many`;
      expect((await sealift.client.post(path, { versions: [...versions, 1001] })).status, verb).to.equal(400);
      expect((await sealift.client.post(path, { versions })).status, verb).to.equal(204);
    }
    const { versions: shown } = (await sealift.client.get('/v1/secret/metadata/many')).body.data;
    expect(shown['1']).to.include({ destroyed: true });
  });

  it('broken JSON, a body that is no object and one that nests too deep are refused', async () => {
    for (const raw of [
      '{"data":',
      '{"data":{"a":1}',
      "{'data':{}}",
      '{"data":{"a":01}}',
      '[]',
      '"x"',
      '7',
      'null',
    ]) {
      const answer = await sealift.client.post('/v1/secret/data/broken', undefined, { raw });
      expect(answer.status, raw).to.equal(400);
      expect(answer.body.errors, raw).to.have.length(1);
    }
    const cut = await sealift.client.post('/v1/secret/data/broken', undefined, { raw: '{"data":' });
    expect(cut.body.errors).to.deep.equal(['error parsing JSON: the body is not valid JSON']);
    const deep = `{"data":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`;
    const answer = await sealift.client.post('/v1/secret/data/broken', undefined, { raw: deep });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.contain('nested deeper');
  });

  it('paths that can be read in two ways, and ones too long to store, are refused', async () => {
    for (const path of ['a%00b', 'a%0ab', 'a%7fb', 'a%2F..%2Fb', 'a%2F.%2Fb', 'a%', 'a%ff']) {
      const answer = await sealift.client.post(`/v1/secret/data/${path}`, { data: { a: 1 } });
      expect(answer.status, path).to.equal(400);
    }
    const answer = await sealift.client.post(`/v1/secret/data/${'x'.repeat(1025)}`, { data: { a: 1 } });
    expect(answer.status).to.equal(400);
    expect((await sealift.client.post(`/v1/secret/data/${'x'.repeat(1024)}`, { data: {} })).status).to.equal(
      200,
    );
    expect((await sealift.client.get(`/v1/${'a/'.repeat(4000)}b`)).status).to.be.oneOf([404, 400]);
  });

  it('names that differ in any other character stay apart', async () => {
    const names = [
      'é',
      'a b',
      'a+b',
      'a%25b',
      'a*',
      '__proto__',
      '%F0%9F%98%80',
      'data',
      'a%3Fb',
      'a;b',
      '~kv2',
    ];
    for (const name of names) {
      expect((await sealift.client.post(`/v1/secret/data/odd/${name}`, { data: { name } })).status).to.equal(
        200,
      );
    }
    for (const name of names) {
      expect((await sealift.client.get(`/v1/secret/data/odd/${name}`)).body.data.data).to.deep.equal({
        name,
      });
    }
    const { keys } = (await sealift.client.list('/v1/secret/metadata/odd')).body.data;
    expect(keys).to.have.members([
      'é',
      'a b',
      'a+b',
      'a%b',
      'a*',
      '__proto__',
      '😀',
      'data',
      'a?b',
      'a;b',
      '~kv2',
    ]);
  });

  it('a path that only version 1 has is explained', async () => {
    for (const [method, path] of [
      ['GET', 'foo'],
      ['POST', 'foo/bar'],
      ['DELETE', 'foo'],
      ['LIST', 'foo'],
    ] as const) {
      const answer = await sealift.client.call(
        method,
        `/v1/secret/${path}`,
        method === 'POST' ? { a: 1 } : undefined,
      );
      expect(answer.status, method).to.equal(404);
      expect(answer.body.data).to.equal(null);
      expect(answer.body.warnings[0]).to.match(/^Invalid path for a versioned K\/V secrets engine/);
    }
    expect((await sealift.client.get('/v1/secret')).body.warnings[0]).to.match(/^Invalid path/);
  });

  it('the root of a folder answers that it can only be listed', async () => {
    for (const folder of ['data', 'metadata', 'subkeys', 'delete']) {
      const answer = await sealift.client.get(`/v1/secret/${folder}/`);
      expect(answer.status).to.equal(404);
      expect(answer.body.warnings).to.deep.equal([
        'Non-listing operations on the root of a K/V v2 mount are not supported.',
      ]);
    }
  });

  it('a method that a path does not have is a 405, and a path that no mount has a 404', async () => {
    for (const [method, path] of [
      ['LIST', 'data/foo'],
      ['LIST', 'data'],
      ['LIST', 'destroy'],
      ['GET', 'destroy/foo'],
      ['PATCH', 'config'],
      ['DELETE', 'subkeys/foo'],
    ] as const) {
      const answer = await sealift.client.call(
        method,
        `/v1/secret/${path}`,
        method === 'PATCH' ? {} : undefined,
      );
      expect(answer.status, `${method} ${path}`).to.equal(405);
      expect(answer.body).to.deep.equal({ errors: ['unsupported operation'] });
    }
    expect((await sealift.client.get('/v1/nowhere/data/foo')).status).to.equal(404);
    expect((await sealift.client.get('/v1/~kv2/data/foo')).status).to.equal(404);
    expect((await sealift.client.get('/v1/sys/nothing')).body).to.deep.equal({
      errors: ['unsupported path'],
    });
  });

  it('HEAD is answered as GET without a body', async () => {
    await sealift.client.post('/v1/secret/data/head', { data: { a: 1 } });
    const answer = await sealift.client.call('HEAD', '/v1/secret/data/head');
    expect(answer.status).to.equal(200);
    expect(answer.text).to.equal('');
  });

  it('callers without a token, with a bad one and with broken headers are refused', async () => {
    expect((await sealift.client.get('/v1/secret/data/head', { token: null })).status).to.equal(403);
    expect((await sealift.client.get('/v1/secret/data/head', { token: 'slt.wrong' })).status).to.equal(403);
    const answer = await sealift.client.get('/v1/secret/data/head', {
      token: null,
      headers: { authorization: 'Basic abc' },
    });
    expect(answer.body).to.deep.equal({ errors: ['permission denied'] });
  });
});
