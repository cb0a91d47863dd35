import { expect } from 'chai';
import { createNamespace } from '../../../libs/store/access/namespaces.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { documentOf, newVersion, SHA, tokenWith, VERSIONS } from './support.ts';

describe('refusals of policy-engine versions', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const pointersOf = async (body: unknown): Promise<string[]> => {
    const answer = await sealift.client.post(VERSIONS, body);
    expect(answer.status, answer.text).to.equal(422);
    for (const error of answer.body.errors) {
      expect(error.status).to.equal('422');
      expect(error.title).to.be.a('string');
      expect(error.detail).to.be.a('string');
    }
    return answer.body.errors.map((error: { source: { pointer: string } }) => error.source.pointer);
  };

  it('every failing attribute gets one object with a pointer', async () => {
    const pointers = await pointersOf(
      documentOf({ version: '1.2', url: 'ftp://x', sha: 'zz', beta: 'yes', enabled: 1 }),
    );
    expect(pointers.toSorted()).to.deep.equal(
      ['beta', 'enabled', 'sha', 'url', 'version'].map((name) => `/data/attributes/${name}`),
    );
  });

  it('version, url and sha are required', async () => {
    expect((await pointersOf(documentOf({}))).toSorted()).to.deep.equal([
      '/data/attributes/sha',
      '/data/attributes/url',
      '/data/attributes/version',
    ]);
    expect(await pointersOf(documentOf({ version: '1.2.3', sha: SHA, archs: [] }))).to.deep.equal([
      '/data/attributes/url',
    ]);
  });

  it('a fault in a build points at the build', async () => {
    const archs = [
      { url: 'https://x.test', sha: SHA },
      { url: 'https://x.test', sha: 'short', os: 'plan9', arch: 'vax' },
    ];
    expect((await pointersOf(documentOf({ version: '1.2.3', archs }))).toSorted()).to.deep.equal([
      '/data/attributes/archs/1/arch',
      '/data/attributes/archs/1/os',
      '/data/attributes/archs/1/sha',
    ]);
    const twice = [archs[0], archs[0]];
    expect(await pointersOf(documentOf({ version: '1.2.3', archs: twice }))).to.deep.equal([
      '/data/attributes/archs/1/arch',
    ]);
  });

  it('a URL with a user name or password is refused, and a former one is shown without', async () => {
    for (const login of ['user:pass-word@', 'user@', ':pass-word@', '@', 'u%40ser:p@'])
      for (const attributes of [
        { version: '1.2.3', sha: SHA, url: `https://${login}x.test/opa` },
        { version: '1.2.3', archs: [{ url: `HTTPS://${login}x.test`, sha: SHA }] },
      ]) {
        const [pointer] = await pointersOf(documentOf(attributes));
        expect(pointer).to.match(/url$/);
      }
    const given = { version: '9.8.7', sha: SHA, url: 'https://x.test/opa@1.2?a=b@c#d@e' };
    const made = await sealift.client.post(VERSIONS, documentOf(given));
    expect(made.status, made.text).to.equal(201);
    const { db } = sealift.context;
    await db.raw(
      `UPDATE policy_engine_versions SET archs = replace(archs::text, 'https://x.test', 'https://u:pass-word@x.test')::jsonb`,
    );
    const { text } = await sealift.client.get(`${VERSIONS}/${made.body.data.id}`);
    expect(text).to.contain('x.test/opa@1.2?a=b@c#d@e').and.not.to.contain('pass-word');
  });

  it('the type must be the resource type', async () => {
    expect(await pointersOf(documentOf(newVersion('1.2.3'), 'opa-versions'))).to.deep.equal(['/data/type']);
    expect(await pointersOf({ data: { attributes: newVersion('1.2.3') } })).to.deep.equal(['/data/type']);
  });

  it('a body that is no document is refused', async () => {
    expect(await pointersOf({})).to.deep.equal(['/data']);
    expect(await pointersOf(undefined)).to.deep.equal(['/data']);
    expect(await pointersOf([])).to.deep.equal(['']);
    for (const raw of ['{"data":', 'null', '"x"']) {
      const answer = await sealift.client.post(VERSIONS, undefined, { raw });
      expect(answer.status, raw).to.equal(422);
    }
  });

  for (const version of [
    '1.2',
    'v1.2.3',
    '1.2.3-',
    '1.2.3-_x',
    '1.2.3 ',
    '1.2.3-a b',
    '1.2.3-a\n',
    '-1.2.3',
    '',
  ]) {
    it(`the version ${JSON.stringify(version)} is refused`, async () => {
      expect(await pointersOf(documentOf(newVersion('0.0.0', { version })))).to.deep.equal([
        '/data/attributes/version',
      ]);
    });
  }

  it('version numbers go up to 2^63 - 1 and no further', async () => {
    const largest = await sealift.client.post(VERSIONS, documentOf(newVersion('0.0.9223372036854775807')));
    expect(largest.status).to.equal(201);
    expect(largest.body.data.attributes.version).to.equal('0.0.9223372036854775807');
    expect(await pointersOf(documentOf(newVersion('0.0.9223372036854775808')))).to.deep.equal([
      '/data/attributes/version',
    ]);
    expect(await pointersOf(documentOf(newVersion(`${'9'.repeat(200)}.0.0`)))).to.deep.equal([
      '/data/attributes/version',
    ]);
  });

  it('text that the database cannot hold is refused', async () => {
    for (const reason of ['a\u0000b', 'half a \ud83d', '\ude00 half']) {
      const attributes = newVersion('1.2.3', { deprecated: true, 'deprecated-reason': reason });
      expect(await pointersOf(documentOf(attributes))).to.deep.equal(['/data/attributes/deprecated-reason']);
    }
    const whole = newVersion('1.2.4', { deprecated: true, 'deprecated-reason': 'a whole \ud83d\ude00' });
    expect((await sealift.client.post(VERSIONS, documentOf(whole))).status).to.equal(201);
    const answer = await sealift.client.get(`${VERSIONS}?search%5Bversion%5D=%00`);
    expect(answer.status).to.equal(422);
  });

  it('another content type is refused with 415, application/json is taken', async () => {
    const raw = JSON.stringify(documentOf(newVersion('3.0.0')));
    const refused = await sealift.client.post(VERSIONS, undefined, {
      raw,
      headers: { 'content-type': 'text/plain' },
    });
    expect(refused.status).to.equal(415);
    const taken = await sealift.client.post(VERSIONS, undefined, {
      raw,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(taken.status).to.equal(201);
  });

  it('an unknown id is a 404 on every call', async () => {
    const path = `${VERSIONS}/tool-0000000000000000`;
    const answers = [
      await sealift.client.get(path),
      await sealift.client.patch(path, documentOf({ beta: true })),
      await sealift.client.delete(path),
      await sealift.client.call('PUT', `${path}/usages/workspaces/ws-1`),
      await sealift.client.delete(`${path}/usages/workspaces/ws-1`),
    ];
    for (const answer of answers) {
      expect(answer.status).to.equal(404);
      expect(answer.body).to.deep.equal({ errors: [{ status: '404', title: 'not found' }] });
    }
  });

  it('every call is a 401 without a token, and a 404 like an unknown path without rights', async () => {
    const created = await sealift.client.post(VERSIONS, documentOf(newVersion('4.0.0')));
    const path = `${VERSIONS}/${created.body.data.id}`;
    const namespace = await createNamespace(sealift.context.db, 'team');
    const weak = await tokenWith(sealift, ['default']);
    const elsewhere = await tokenWith(sealift, ['root'], namespace.id);
    const calls: [string, string, unknown][] = [
      ['GET', VERSIONS, undefined],
      ['POST', VERSIONS, documentOf(newVersion('4.0.1'))],
      ['GET', path, undefined],
      ['PATCH', path, documentOf({ beta: true })],
      ['DELETE', path, undefined],
      ['PUT', `${path}/usages/workspaces/ws-1`, undefined],
      ['DELETE', `${path}/usages/workspaces/ws-1`, undefined],
    ];
    const nowhere = await sealift.client.get('/api/v2/admin/nothing-here', { token: weak });
    expect(nowhere.status).to.equal(404);
    for (const [method, target, body] of calls) {
      const unknown = await sealift.client.call(method, target, body, { token: null });
      expect(unknown.status, `${method} ${target}`).to.equal(401);
      for (const options of [
        { token: weak },
        { token: elsewhere },
        { token: elsewhere, namespace: 'team' },
      ]) {
        const refused = await sealift.client.call(method, target, body, options);
        expect(refused.status, `${method} ${target}`).to.equal(404);
        expect(refused.text).to.equal(nowhere.text);
        expect(refused.headers['content-type']).to.equal(nowhere.headers['content-type']);
      }
    }
    const admin = await tokenWith(sealift, ['site-admin']);
    expect((await sealift.client.get(path, { token: admin })).status).to.equal(200);
  });
});
