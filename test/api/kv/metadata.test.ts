import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('metadata, configuration and subkeys of KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const metadata = (path: string) => sealift.client.get(`/v1/secret/metadata/${path}`);
  const set = (path: string, body: unknown) => sealift.client.post(`/v1/secret/metadata/${path}`, body);
  const patch = (path: string, body: unknown) => sealift.client.patch(`/v1/secret/metadata/${path}`, body);

  it('metadata tell everything of a secret but its values', async () => {
    await sealift.client.post('/v1/secret/data/told', { data: { password: 'hunter2' } });
    const answer = await metadata('told');
    expect(answer.text).not.to.contain('hunter2');
    expect(answer.body.data).to.deep.include({
      cas_required: false,
      current_version: 1,
      custom_metadata: null,
      delete_version_after: '0s',
      max_versions: 0,
      oldest_version: 0,
    });
    expect(answer.body.data).to.include.keys('created_time', 'updated_time');
    expect(answer.body.data.versions['1']).to.deep.include({
      created_by: { actor: 'root', client_id: '', entity_id: '', operation: 'create' },
      deleted_by: null,
      deletion_time: '',
      destroyed: false,
    });
  });

  it('metadata tell who wrote and who deleted each version, and who changed the secret last', async () => {
    const { client } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'other' });
    const other = { token: made.body.auth.client_token };
    const by = async () => {
      const { last_updated_by: last, versions } = (await metadata('whose')).body.data;
      const peopleOf = (version: string) => [versions[version].created_by, versions[version].deleted_by];
      return [last, ...peopleOf('1'), ...peopleOf('2')].map((person) => person?.actor ?? null);
    };
    await client.post('/v1/secret/data/whose', { data: { a: 1 } });
    await client.post('/v1/secret/data/whose', { data: { a: 2 } }, other);
    expect(await by()).to.deep.equal(['token-other', 'root', null, 'token-other', null]);
    await client.delete('/v1/secret/data/whose');
    await client.post('/v1/secret/delete/whose', { versions: [1, 2] }, other);
    expect(await by()).to.deep.equal(['token-other', 'root', 'token-other', 'token-other', 'root']);
    await client.post('/v1/secret/undelete/whose', { versions: [1] });
    await set('whose', { max_versions: 3 });
    expect(await by()).to.deep.equal(['root', 'root', null, 'token-other', 'root']);
    await client.patch('/v1/secret/metadata/whose', { max_versions: 4 }, other);
    expect((await metadata('whose')).body.data.last_updated_by).to.deep.equal({
      actor: 'token-other',
      client_id: '',
      entity_id: '',
      operation: 'update',
    });
  });

  it('a write of metadata makes a secret without a version, which has no data to read', async () => {
    expect((await set('bare', { custom_metadata: { owner: 'ops' } })).status).to.equal(204);
    expect((await metadata('bare')).body.data).to.deep.include({
      current_version: 0,
      versions: {},
      custom_metadata: { owner: 'ops' },
    });
    expect((await sealift.client.get('/v1/secret/data/bare')).status).to.equal(404);
    expect(
      (await sealift.client.post('/v1/secret/data/bare', { data: { a: 1 }, options: { cas: 0 } })).status,
    ).to.equal(200);
    const { metadata: embedded } = (await sealift.client.get('/v1/secret/data/bare')).body.data;
    expect(embedded.custom_metadata).to.deep.equal({ owner: 'ops' });
  });

  it('an empty body changes nothing, and any other only what it names', async () => {
    expect((await set('partial', {})).status).to.equal(204);
    expect((await metadata('partial')).status).to.equal(404);
    await set('partial', { max_versions: '7', cas_required: 'true', delete_version_after: 5400 });
    await set('partial', { max_versions: 8 });
    expect((await metadata('partial')).body.data).to.include({
      max_versions: 8,
      cas_required: true,
      delete_version_after: '1h30m0s',
    });
  });

  it('a number without an end is refused, and everything stays', async () => {
    for (const most of ['1e400', '-1e400', 'Infinity', '99999999999']) {
      const answer = await set('endless', { max_versions: most });
      expect(answer.status, most).to.equal(400);
      expect(answer.body.errors[0], most).to.contain('max_versions must be');
    }
    expect((await metadata('endless')).status).to.equal(404);
  });

  it('POST replaces custom metadata, PATCH merges into it and null removes', async () => {
    await set('custom', { custom_metadata: { a: '1', b: '2' } });
    await set('custom', { custom_metadata: 'c=3,d=4' });
    expect((await metadata('custom')).body.data.custom_metadata).to.deep.equal({ c: '3', d: '4' });
    expect(
      (await patch('custom', { custom_metadata: { c: null, e: '5' }, max_versions: 3 })).status,
    ).to.equal(204);
    expect((await metadata('custom')).body.data).to.deep.include({
      custom_metadata: { d: '4', e: '5' },
      max_versions: 3,
    });
    await patch('custom', { max_versions: null, custom_metadata: null });
    expect((await metadata('custom')).body.data).to.deep.include({ custom_metadata: null, max_versions: 0 });
    expect((await patch('custom-none', { max_versions: 3 })).status).to.equal(404);
  });

  it('custom metadata beyond its limits are refused with the reason', async () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v']));
    for (const given of [
      many,
      { ['k'.repeat(129)]: 'v' },
      { k: 'v'.repeat(513) },
      { k: '' },
      { '': 'v' },
      { k: 'a\nb' },
      { k: '\u0000' },
    ]) {
      const answer = await set('limits', { custom_metadata: given });
      expect(answer.status, JSON.stringify(given).slice(0, 60)).to.equal(400);
      expect(answer.body.errors[0]).to.match(/^custom_metadata validation failed: /);
    }
    for (const given of [['x'], 5, { k: { deep: 1 } }]) {
      expect((await set('limits', { custom_metadata: given })).status).to.equal(400);
    }
    expect((await metadata('limits')).status).to.equal(404);
    const most = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`${n}`.padEnd(128, 'k'), 'v'.repeat(512)]),
    );
    expect((await set('limits', { custom_metadata: most })).status).to.equal(204);
    expect((await patch('limits', { custom_metadata: { one: 'more' } })).status).to.equal(400);
  });

  it('limits of the wrong kind are refused', async () => {
    for (const body of [
      { max_versions: -1 },
      { max_versions: 'many' },
      { max_versions: 1.5 },
      { max_versions: 99999999999 },
      { cas_required: 'perhaps' },
      { delete_version_after: 'soon' },
      { delete_version_after: '-1h' },
      { delete_version_after: '99999999999999h' },
      { delete_version_after: [] },
    ]) {
      expect((await set('wrong', body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect((await metadata('wrong')).status).to.equal(404);
  });

  it('a secret that the mount overrides gets a warning', async () => {
    await sealift.client.post('/v1/sys/mounts/strict', { type: 'kv', options: { version: 2 } });
    await sealift.client.post('/v1/strict/config', { cas_required: true });
    const answer = await sealift.client.post('/v1/strict/metadata/a', { cas_required: false });
    expect(answer.status).to.equal(200);
    expect(answer.body.warnings).to.have.length(1);
    expect((await sealift.client.post('/v1/strict/data/a', { data: {} })).status).to.equal(400);
  });

  it('a delete of the metadata drops everything of a secret, which then begins anew', async () => {
    await sealift.client.post('/v1/secret/data/dropped', { data: { n: 1 } });
    await sealift.client.post('/v1/secret/data/dropped', { data: { n: 2 } });
    expect((await sealift.client.delete('/v1/secret/metadata/dropped')).status).to.equal(204);
    expect((await metadata('dropped')).status).to.equal(404);
    expect((await sealift.client.get('/v1/secret/data/dropped')).body).to.deep.equal({ errors: [] });
    expect((await sealift.client.delete('/v1/secret/metadata/dropped')).status).to.equal(204);
    expect((await sealift.client.post('/v1/secret/data/dropped', { data: {} })).body.data.version).to.equal(
      1,
    );
  });

  it('the limits of a mount can be read and set', async () => {
    expect((await sealift.client.get('/v1/secret/config')).body.data).to.deep.equal({
      cas_required: false,
      delete_version_after: '0s',
      max_versions: 0,
    });
    expect((await sealift.client.post('/v1/secret/config', { max_versions: 20 })).status).to.equal(204);
    expect((await sealift.client.get('/v1/secret/config')).body.data.max_versions).to.equal(20);
    expect((await sealift.client.post('/v1/secret/config', { max_versions: 'x' })).status).to.equal(400);
  });

  it('subkeys show the keys of a secret without its values, to the depth asked for', async () => {
    const data = {
      a: 'secret',
      deep: { b: { c: 12345678901234567890n.toString() } },
      list: [1, { x: 2 }],
      none: {},
    };
    await sealift.client.post('/v1/secret/data/shape', { data });
    const subkeys = (query = '') => sealift.client.get(`/v1/secret/subkeys/shape${query}`);
    expect((await subkeys()).body.data.subkeys).to.deep.equal({
      a: null,
      deep: { b: { c: null } },
      list: null,
      none: {},
    });
    expect((await subkeys('?depth=1')).body.data.subkeys).to.deep.equal({
      a: null,
      deep: null,
      list: null,
      none: null,
    });
    expect((await subkeys('?depth=2')).body.data.subkeys.deep).to.deep.equal({ b: null });
    expect((await subkeys()).body.data.metadata.version).to.equal(1);
    expect((await subkeys('?version=2')).status).to.equal(404);
    await sealift.client.delete('/v1/secret/data/shape');
    const deleted = await subkeys();
    expect(deleted.status).to.equal(404);
    expect(deleted.body.data.subkeys).to.equal(null);
  });

  it('subkeys tell the type of each value on request, and still no value', async () => {
    await sealift.client.post('/v1/secret/data/types', undefined, {
      raw: '{"data":{"a":"5","b":5,"c":12345678901234567890,"d":true,"e":null,"f":[1],"g":{"h":"i"}}}',
    });
    const answer = await sealift.client.get('/v1/secret/subkeys/types?depth=1&types=true');
    expect(answer.body.data.types).to.deep.equal({
      a: 'text',
      b: 'number',
      c: 'number',
      d: 'boolean',
      e: 'null',
      f: 'list',
      g: 'object',
    });
    expect(new Set(Object.values(answer.body.data.subkeys))).to.deep.equal(new Set([null]));
    const plain = await sealift.client.get('/v1/secret/subkeys/types');
    expect(Object.keys(plain.body.data)).to.have.members(['subkeys', 'metadata']);
  });
});
