import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { create, destinationPath, expectOk, expectRefused, repository } from './support.ts';

const ROLE = 'arn:aws:iam::123456789012:role/sealift';
const AUDIENCE = 'sts.amazonaws.com';
const FEDERATED = { role_arn: ROLE, region: 'eu-west-1', identity_token_audience: AUDIENCE };
const KEYS = { access_key_id: 'AKIAEXAMPLEONE', secret_access_key: 'a-secret-key' };
const ISSUER = 'https://sealift.example';

describe('the identity of a destination', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift({ environment: { ISSUER_URL: `${ISSUER}/` } });
    for (const namespace of ['team', 'team/a']) await sealift.client.post(`/v1/sys/namespaces/${namespace}`);
  });
  after(() => sealift.stop());

  const refused = async (body: object, name = 'x', namespace?: string) =>
    expectRefused(
      await sealift.client.post(destinationPath(name), body, namespace ? { namespace } : {}),
      400,
    );
  const patch = (name: string, body: object) =>
    sealift.client.patch(destinationPath(name), body, {
      headers: { 'content-type': 'application/merge-patch+json' },
    });
  const identityOf = async (name: string, type?: string) =>
    expectOk(await sealift.client.get(`${destinationPath(name, type)}/identity`));

  it('audience and key of identity tokens read as masked, their lifetime in seconds', async () => {
    const made = await create(sealift.client, destinationPath('read'), {
      ...FEDERATED,
      identity_token_ttl: '30m',
      identity_token_key: 'default',
    });
    expect(made.connection_details).to.deep.include({
      identity_token_audience: '*****',
      identity_token_key: '*****',
      identity_token_ttl: 1800,
      role_arn: ROLE,
    });
    const rows = await sealift.context.db('destinations').where({ name: 'read' }).select('settings');
    expect(JSON.stringify(rows)).to.not.contain(AUDIENCE);
  });

  it('a setting that makes no sense for an identity is refused by its name', async () => {
    expect(await refused({ ...FEDERATED, ...KEYS })).to.match(/identity_token_audience and access_key_id/);
    expect(await refused({ ...FEDERATED, role_arn: undefined })).to.contain('role_arn is required');
    expect(await refused({ ...FEDERATED, role_arn: 'arn:aws:iam::1:role/x' })).to.contain('role_arn');
    expect(await refused({ ...FEDERATED, external_id: 'a b' })).to.contain('external_id');
    expect(await refused({ ...FEDERATED, identity_token_key: 'mine' })).to.contain('identity_token_key');
    expect(await refused({ ...FEDERATED, identity_token_audience: 'a'.repeat(256) })).to.contain('255');
    for (const ttl of ['9s', '25h', 'soon', -1])
      expect(await refused({ ...FEDERATED, identity_token_ttl: ttl }), String(ttl)).to.contain('10s to 24h');
  });

  it('a name that no region has is pointed out, and one that is new is not', async () => {
    const warnings = async (region: string) =>
      (await sealift.client.post(destinationPath('region'), { ...FEDERATED, region })).body.warnings ?? [];
    expect(await warnings('eu-wset-1')).to.deep.equal([
      'eu-wset-1 does not look like an AWS region, such as eu-central-1',
    ]);
    for (const region of [
      'ap-southeast-9',
      'eusc-de-east-1',
      'mx-central-1',
      'il-central-1',
      'sa-northwest-2',
      'us-gov-west-1',
      'us-isob-east-1',
      'cn-north-1',
    ])
      expect(await warnings(region), region).to.deep.equal([]);
  });

  it('a subject or an issuer that AWS could not take is refused when it is written', async () => {
    const deep = Array.from({ length: 4 }, (_, index) => `${'n'.repeat(50)}${index}`).join('/');
    const parts = deep.split('/');
    for (const [index] of parts.entries())
      await sealift.client.post(`/v1/sys/namespaces/${parts.slice(0, index + 1).join('/')}`);
    const text = await refused(FEDERATED, 'd'.repeat(60), deep);
    expect(text).to.contain('the subject').and.contain('the issuer');
    expectOk(await sealift.client.post(destinationPath('d'), FEDERATED, { namespace: parts[0] ?? '' }));
  });

  it('a call that replaces a destination keeps the audience and the key that it leaves out', async () => {
    const path = destinationPath('kept');
    await create(sealift.client, path, { ...FEDERATED, identity_token_key: 'default' });
    // Terraform sends write-only fields when their version changes, and leaves them out of any other update.
    const after = await create(sealift.client, path, {
      role_arn: ROLE,
      region: 'eu-west-1',
      identity_token_ttl: 600,
      custom_tags: { team: 'web' },
    });
    expect(after.connection_details).to.include({
      identity_token_audience: '*****',
      identity_token_key: '*****',
    });
    expect((await identityOf('kept')).aud).to.equal(AUDIENCE);
    await create(sealift.client, path, { role_arn: ROLE, identity_token_audience: '*****' });
    expect((await identityOf('kept')).aud).to.equal(AUDIENCE);
  });

  it('an empty audience, a null or an access key ends it', async () => {
    const path = destinationPath('ended');
    const start = async (): Promise<void> => {
      await create(sealift.client, path, FEDERATED);
      expect((await identityOf('ended')).mode).to.equal('federated');
    };
    await start();
    await create(sealift.client, path, { role_arn: ROLE, identity_token_audience: '' });
    expect((await identityOf('ended')).mode).to.equal('ambient');
    await start();
    const { body } = await patch('ended', { identity_token_audience: null });
    expect(body.warnings).to.deep.equal([
      "the destination signs in with the worker's own identity, because it has neither access_key_id nor identity_token_audience",
    ]);
    expect((await identityOf('ended')).mode).to.equal('ambient');
    await start();
    expectOk(await patch('ended', KEYS));
    expect((await identityOf('ended')).mode).to.equal('static');
    await start();
    await create(sealift.client, path, KEYS);
    expect((await identityOf('ended')).mode).to.equal('static');
    expect(expectRefused(await patch('ended', { ...FEDERATED }), 400)).to.contain('access_key_id');
  });

  it('the account of the role is fixed while secrets are linked', async () => {
    const path = destinationPath('account');
    await create(sealift.client, path, FEDERATED);
    await sealift.client.post('/v1/secret/data/fixed', { data: { a: 1 } });
    expectOk(
      await sealift.client.post(
        `${path}/associations/set`,
        { mount: 'secret', secret_name: 'fixed' },
        { headers: { prefer: 'respond-async' } },
      ),
    );
    expectOk(await patch('account', { role_arn: 'arn:aws:iam::123456789012:role/other' }));
    const other = await patch('account', { role_arn: 'arn:aws:iam::999999999999:role/sealift' });
    expect(expectRefused(other, 400)).to.contain('the account of role_arn');
  });

  it('the identity tells what a trust must name, however the path spells the type', async () => {
    await create(sealift.client, destinationPath('told'), FEDERATED);
    const identity = await identityOf('told', 'aws-sm');
    expect(identity).to.deep.include({
      store_type: 'aws-sm',
      mode: 'federated',
      iss: `${ISSUER}/v1/identity/oidc/secrets-sync`,
      sub: 'secrets-sync:root:aws-sm:told',
      aud: AUDIENCE,
    });
    expect(identity.role_session_name).to.match(/^sealift-[0-9a-f]{16}$/);
    expectOk(await sealift.client.post(destinationPath('told'), FEDERATED, { namespace: 'team/a' }));
    const below = await sealift.client.get(`${destinationPath('told')}/identity`, { namespace: 'team/a' });
    expect(expectOk(below)).to.include({
      iss: `${ISSUER}/v1/team/a/identity/oidc/secrets-sync`,
      sub: 'secrets-sync:team/a:aws-sm:told',
    });
    await create(sealift.client, destinationPath('web', 'repo-host'), repository);
    expect(await identityOf('web', 'repo-host')).to.include({
      mode: 'static',
      iss: null,
      sub: null,
      aud: null,
    });
  });

  it('whoever may read a destination alone is not told its identity', async () => {
    const { client } = sealift;
    await create(client, destinationPath('told'), FEDERATED);
    await client.post('/v1/sys/policies/acl/reader', {
      path: { 'sys/sync/destinations/cloud1-sm/told': { capabilities: ['read'] } },
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['reader'] });
    const answer = await client.get(`${destinationPath('told')}/identity`, {
      token: made.body.auth.client_token,
    });
    expect(answer.status).to.equal(403);
  });
});

describe('the issuers of identity tokens', () => {
  let sealift: Sealift;

  before(async () => {
    const environment = { ISSUER_URL: ISSUER, SECRETS_RATE_LIMIT_PER_ADDRESS: '1' };
    sealift = await startSealift({ environment });
  });
  after(() => sealift.stop());

  const read = (path: string) => sealift.client.get(path, { token: null });

  it('each namespace has documents, whether it exists or not, without a token or a limit', async () => {
    for (const prefix of ['', 'team/', 'no/such/namespace/', 'team/'])
      for (const start of ['/v1/', '/']) {
        const issuer = `${ISSUER}/v1/${prefix}identity/oidc/secrets-sync`;
        const documents = `${start}${prefix}identity/oidc/secrets-sync/.well-known`;
        const { status, body } = await read(`${documents}/openid-configuration`);
        expect(status).to.equal(200);
        expect(body).to.deep.include({ issuer, jwks_uri: `${issuer}/.well-known/keys` });
        const keys = await read(`${documents}/keys`);
        expect(keys.body).to.deep.equal((await read('/.well-known/jwks')).body);
      }
  });

  it('a path that no namespace can have has no documents', async () => {
    for (const prefix of ['sys', 'root', 'a/auth', '-a', 'a'.repeat(501)]) {
      const path = `/v1/${prefix}/identity/oidc/secrets-sync/.well-known`;
      expect((await read(`${path}/openid-configuration`)).status, prefix).to.equal(404);
      expect((await read(`${path}/keys`)).status, prefix).to.equal(404);
    }
    expect((await read('/v1/identity/oidc/secrets-sync/.well-known/other')).status).to.not.equal(200);
  });
});
