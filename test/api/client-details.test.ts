import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const AWS = { access_key_id: 'id', secret_access_key: 'key', region: 'eu-west-1' };

describe('details that clients compare', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { NAME_PREFIX: 'vault' } });
  });
  after(() => sealift.stop());

  it('the content type below /v1 is application/json, without a charset', async () => {
    const { client } = sealift;
    await client.post('/v1/secret/data/gone', { data: { a: 1 } });
    await client.delete('/v1/secret/data/gone');
    for (const path of [
      '/v1/secret/metadata/gone',
      '/v1/secret/data/gone',
      '/v1/secret/data/absent',
      '/v1/sys/health',
      '/v1/sys/seal-status',
      '/v1/sys/mounts',
      '/v1/nowhere',
    ])
      expect((await client.get(path)).headers['content-type'], path).to.equal('application/json');
    const { wrap_info: info } = (
      await client.get('/v1/sys/mounts', { headers: { 'x-vault-wrap-ttl': '60' } })
    ).body;
    const unwrapped = await client.post('/v1/sys/wrapping/unwrap', { token: info.token });
    expect(unwrapped.headers['content-type']).to.equal('application/json');
  });

  it('a null body counts as none, wherever none is needed', async () => {
    const { client } = sealift;
    const put = (path: string, options: object = {}) =>
      client.call('PUT', path, undefined, { raw: 'null', ...options });
    expect((await put('/v1/sys/namespaces/go')).status).to.equal(200);
    expect((await put('/v1/secret/metadata/go')).status).to.equal(204);
    expect((await put('/v1/sys/activation-flags/secrets-sync/activate')).status).to.equal(200);
    await client.post('/v1/sys/sync/destinations/aws-sm/go', AWS);
    expect((await put('/v1/auth/token/create')).status).to.equal(200);
    const { auth } = (await client.post('/v1/auth/token/create', { policies: ['default'] })).body;
    expect((await put('/v1/auth/token/renew-self', { token: auth.client_token })).status).to.equal(200);
    expect((await put('/v1/auth/token/revoke-self', { token: auth.client_token })).status).to.equal(204);
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    const patched = await client.call('PATCH', '/v1/sys/sync/destinations/aws-sm/go', undefined, {
      raw: 'null',
      ...merge,
    });
    expect(patched.status, patched.text).to.equal(200);
    const needed = await put('/v1/secret/data/go');
    expect(needed.status).to.equal(400);
    expect(needed.body.errors).to.deep.equal(['no data provided']);
  });

  it('a check-and-set parameter that is none, and an accessor of no token, are named', async () => {
    const { client } = sealift;
    const cas = await client.post('/v1/secret/data/cas', { data: { a: 1 }, options: { cas: -1 } });
    expect(cas.status).to.equal(400);
    expect(cas.body.errors.join()).to.contain('error parsing check-and-set parameter');
    expect(cas.body.errors.join()).to.contain('did not match the current version');
    const { accessor } = (await client.post('/v1/auth/token/create', {})).body.auth;
    expect((await client.post('/v1/auth/token/revoke-accessor', { accessor })).status).to.equal(204);
    for (const path of ['lookup-accessor', 'revoke-accessor']) {
      const answer = await client.post(`/v1/auth/token/${path}`, { accessor });
      expect(answer.status, path).to.equal(400);
      expect(answer.body.errors, path).to.deep.equal(['invalid accessor']);
    }
  });

  it('the cloud of a key vault reads back only where somebody chose it', async () => {
    const answer = await sealift.client.post('/v1/sys/sync/destinations/azure-kv/cloud', {
      key_vault_uri: 'https://example.vault.azure.net',
      client_id: 'id',
      client_secret: 'secret',
      tenant_id: 'tenant',
    });
    expect(answer.body.data.connection_details).not.to.have.property('cloud');
  });

  it('the operator’s prefix begins the names of a destination without a template of its own', async () => {
    const answer = await sealift.client.post('/v1/sys/sync/destinations/aws-sm/prefix', AWS);
    expect(answer.body.data.options.secret_name_template).to.equal(
      'vault/{{ .MountAccessor }}/{{ .SecretPath }}',
    );
  });

  describe('the template of a destination whose granularity changes', () => {
    const path = '/v1/sys/sync/destinations/aws-sm/granularity';
    const own = 'VAULT_{{ .MountAccessor | uppercase }}_{{ .SecretKey | uppercase }}';
    const byPath = 'mine/{{ .SecretPath }}';
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    const template = async () => (await sealift.client.get(path)).body.data.options.secret_name_template;
    beforeEach(() => sealift.client.delete(path));

    it('a template sent along with another granularity is taken', async () => {
      await sealift.client.post(path, { ...AWS, granularity: 'secret-path', secret_name_template: byPath });
      const changed = { ...AWS, granularity: 'secret-key', secret_name_template: own };
      expect((await sealift.client.post(path, changed)).status).to.equal(200);
      expect(await template()).to.equal(own);
    });

    it('a POST without a template, which replaces all, takes the default of the new granularity', async () => {
      await sealift.client.post(path, { ...AWS, granularity: 'secret-path', secret_name_template: byPath });
      expect((await sealift.client.post(path, { ...AWS, granularity: 'secret-key' })).status).to.equal(200);
      expect(await template()).to.equal('vault/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}');
    });

    it('the former default that comes along with another granularity gives way to the new one', async () => {
      await sealift.client.post(path, AWS);
      const former = { ...AWS, secret_name_template: 'vault/{{ .MountAccessor }}/{{ .SecretPath }}' };
      const changed = { ...former, granularity: 'secret-key' };
      expect((await sealift.client.post(path, changed)).status).to.equal(200);
      expect(await template()).to.equal('vault/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}');
      await sealift.client.delete(path);
      expect((await sealift.client.post(path, changed)).status).to.equal(400);
    });

    it('a PATCH takes the new default template along, and keeps a chosen one', async () => {
      await sealift.client.post(path, AWS);
      expect((await sealift.client.patch(path, { granularity: 'secret-key' }, merge)).status).to.equal(200);
      expect(await template()).to.equal('vault/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}');
      await sealift.client.patch(path, { granularity: 'secret-path', secret_name_template: byPath }, merge);
      const refused = await sealift.client.patch(path, { granularity: 'secret-key' }, merge);
      expect(refused.status).to.equal(400);
      expect(refused.body.errors.join()).to.contain('should contain reference to the secret key');
      expect(await template()).to.equal(byPath);
    });
  });
});
