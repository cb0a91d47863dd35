import { expect } from 'chai';
import { exportSPKI, SignJWT } from 'jose';
import nodeVault from 'node-vault';
import { makeKey } from './auth/issuer.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('existing clients', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const connect = (options: object = {}) =>
    nodeVault({ endpoint: sealift.url, token: sealift.token, requestOptions: {}, ...options });

  describe('node-vault, unchanged', () => {
    it('node-vault writes, reads, lists, updates and deletes', async () => {
      const vault = connect();
      expect((await vault.write('secret/data/node/app', { data: { a: '1', b: '2' } })).data.version).to.equal(
        1,
      );
      expect((await vault.read('secret/data/node/app')).data.data).to.deep.equal({ a: '1', b: '2' });
      expect((await vault.list('secret/metadata/node')).data.keys).to.deep.equal(['app']);
      await vault.update('secret/data/node/app', { data: { b: null, c: '3' } });
      expect((await vault.read('secret/data/node/app')).data.data).to.deep.equal({ a: '1', c: '3' });
      await vault.delete('secret/data/node/app');
      const failure = await vault.read('secret/data/node/app').catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
    });

    it('node-vault mounts, writes policies, makes tokens and asks for its state', async () => {
      const vault = connect();
      await vault.mount({ mount_point: 'node', type: 'kv', options: { version: '2' } });
      expect((await vault.mounts()).data['node/'].options.version).to.equal('2');
      await vault.addPolicy({
        name: 'node',
        rules: '{"path":{"node/*":{"capabilities":["read","create","update"]}}}',
      });
      expect((await vault.policies()).policies).to.include('node');
      // After `tokenCreate` this client object uses the new token, so it is not reused.
      const created = await connect().tokenCreate({ policies: ['node'], ttl: '1h' });
      const limited = connect({ token: created.auth.client_token });
      await limited.write('node/data/x', { data: { a: 1 } });
      expect((await limited.tokenLookupSelf()).data.policies).to.deep.equal(['default', 'node']);
      const refused = await limited.read('secret/data/x').catch((error: unknown) => error);
      expect(String(refused)).to.contain('permission denied');
      await limited.tokenRenewSelf({ increment: 60 });
      await limited.tokenRevokeSelf();
      expect((await vault.status()).sealed).to.equal(false);
      expect((await vault.health()).initialized).to.equal(true);
      await vault.unmount({ mount_point: 'node' });
    });

    it('node-vault logs in with AppRole, and goes on with the token that it gets', async () => {
      const vault = connect();
      await vault.enableAuth({ mount_point: 'node-approle', type: 'approle' });
      await vault.write('auth/node-approle/role/web', { token_ttl: '10m' });
      const { role_id } = (await vault.read('auth/node-approle/role/web/role-id')).data;
      const { secret_id } = (await vault.write('auth/node-approle/role/web/secret-id', {})).data;
      const machine = connect({ token: 'slt.of-yesterday' });
      const { auth } = await machine.approleLogin({ mount_point: 'node-approle', role_id, secret_id });
      expect(auth.lease_duration).to.equal(600);
      expect((await machine.tokenLookupSelf()).data.display_name).to.equal('node-approle-web');
      await vault.disableAuth({ mount_point: 'node-approle' });
      expect(await machine.tokenLookupSelf().catch((error: unknown) => error)).to.be.instanceOf(Error);
    });

    it('node-vault logs in with the token of an issuer', async () => {
      const vault = connect();
      const { kid, privateKey, publicKey } = await makeKey('ES256', 'node');
      await vault.enableAuth({ mount_point: 'node-jwt', type: 'jwt' });
      const keys = {
        jwt_validation_pubkeys: [await exportSPKI(publicKey)],
        bound_issuer: 'https://ci.example',
      };
      await vault.write('auth/node-jwt/config', keys);
      await vault.write('auth/node-jwt/role/ci', { user_claim: 'sub', bound_subject: 'job' });
      const jwt = await new SignJWT({ iss: 'https://ci.example', sub: 'job' })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime('5m')
        .sign(privateKey);
      const machine = connect({ token: undefined });
      const { auth } = await machine.write('auth/node-jwt/login', { role: 'ci', jwt });
      expect(auth.metadata).to.deep.equal({ role: 'ci' });
    });

    it('node-vault works within a namespace', async () => {
      await connect().write('sys/namespaces/node-team', {});
      const vault = connect({ namespace: 'node-team' });
      await vault.write('sys/mounts/kv', { type: 'kv-v2' });
      await vault.write('kv/data/x', { data: { a: 1 } });
      expect((await vault.read('kv/data/x')).data.data).to.deep.equal({ a: 1 });
    });
  });

  describe('calls in the shape of a secrets command line', () => {
    const call = (method: string, path: string, body?: unknown) =>
      sealift.client.call(method, path, body, {
        token: null,
        headers: {
          'x-vault-token': sealift.token,
          'x-vault-request': 'true',
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : '',
        },
      });

    it('the calls that `kv` of other clients makes work', async () => {
      const preflight = await call('GET', '/v1/sys/internal/ui/mounts/secret/cli/app');
      expect(preflight.body.data).to.deep.include({ path: 'secret/', options: { version: '2' } });
      expect(
        (await call('PUT', '/v1/secret/data/cli/app', { data: { a: '1' }, options: {} })).status,
      ).to.equal(200);
      expect(
        (await call('PUT', '/v1/secret/data/cli/app', { data: { a: '2' }, options: { cas: 1 } })).body.data
          .version,
      ).to.equal(2);
      expect(
        (await call('PATCH', '/v1/secret/data/cli/app', { data: { b: '3' }, options: {} })).body.data.version,
      ).to.equal(3);
      expect((await call('GET', '/v1/secret/data/cli/app?version=1')).body.data.data).to.deep.equal({
        a: '1',
      });
      expect((await call('DELETE', '/v1/secret/data/cli/app')).status).to.equal(204);
      expect((await call('PUT', '/v1/secret/undelete/cli/app', { versions: ['3'] })).status).to.equal(204);
      expect((await call('GET', '/v1/secret/data/cli/app')).body.data.data).to.deep.equal({ a: '2', b: '3' });
      expect((await call('PUT', '/v1/secret/destroy/cli/app', { versions: ['1'] })).status).to.equal(204);
      expect((await call('GET', '/v1/secret/metadata/cli?list=true')).body.data.keys).to.deep.equal(['app']);
    });

    it('the calls of `kv metadata put`, `patch`, `get` and `delete` work', async () => {
      const settings = {
        max_versions: 5,
        delete_version_after: '1h0m0s',
        cas_required: false,
        custom_metadata: { a: 'b' },
      };
      expect((await call('PUT', '/v1/secret/metadata/cli/meta', settings)).status).to.equal(204);
      const merged = { custom_metadata: { a: null, c: 'd' } };
      expect((await call('PATCH', '/v1/secret/metadata/cli/meta', merged)).status).to.equal(204);
      expect((await call('GET', '/v1/secret/metadata/cli/meta')).body.data).to.deep.include({
        ...settings,
        custom_metadata: { c: 'd' },
      });
      expect((await call('DELETE', '/v1/secret/metadata/cli/meta')).status).to.equal(204);
    });

    it('the calls of `secrets enable`, `enable-versioning` and `disable` work', async () => {
      const body = {
        type: 'kv',
        description: '',
        config: { default_lease_ttl: '0s', max_lease_ttl: '0s', force_no_cache: false, options: null },
        local: false,
        seal_wrap: false,
        external_entropy_access: false,
        options: null,
      };
      expect((await call('POST', '/v1/sys/mounts/cli', body)).status).to.equal(204);
      const tuning = { default_lease_ttl: '', max_lease_ttl: '', options: { version: '2' } };
      expect((await call('POST', '/v1/sys/mounts/cli/tune', tuning)).status).to.equal(204);
      expect((await call('GET', '/v1/sys/mounts/cli')).body.data.options.version).to.equal('2');
      expect((await call('DELETE', '/v1/sys/mounts/cli')).status).to.equal(204);
    });

    it('an infrastructure tool can look itself up, make a child token and read the version', async () => {
      expect((await call('GET', '/v1/auth/token/lookup-self')).body.data.id).to.equal(sealift.token);
      const child = {
        display_name: 'terraform',
        ttl: '1200s',
        explicit_max_ttl: '2400s',
        renewable: false,
        num_uses: 0,
        type: '',
      };
      const { auth } = (await call('POST', '/v1/auth/token/create', child)).body;
      expect(auth).to.deep.include({ renewable: false, policies: ['root'] });
      expect((await call('GET', '/v1/sys/seal-status')).body.version).to.match(/^\d+\.\d+\.\d+/);
    });
  });
});
