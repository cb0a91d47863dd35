import { expect } from 'chai';
import { entriesWith } from '../audit/support.ts';
import type { Sealift } from '../../support/sealift.ts';
import { makeAuthority } from './authority.ts';
import { makeCluster, type Account, type Cluster } from './cluster.ts';
import { makeKey } from './issuer.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/kubernetes/config';
const ROLE = '/v1/auth/kubernetes/role';
const LOG_IN = '/v1/auth/kubernetes/login';

describe('Kubernetes, with the keys of the cluster', () => {
  let sealift: Sealift;
  let cluster: Cluster;
  let api: Account;
  before(async () => {
    cluster = await makeCluster();
    api = cluster.addAccount('shop', 'api');
    sealift = await startWithMethods('kubernetes');
    await done(sealift.client.post('/v1/secret/data/app', { data: { a: '1' } }));
    await configure();
    await done(writeRole('api', {}));
  });
  after(() => sealift.stop());

  const configure = async (config: object = {}) =>
    done(sealift.client.post(CONFIG, { pem_keys: [await cluster.pem()], issuer: cluster.issuer, ...config }));
  const writeRole = (name: string, role: object) =>
    sealift.client.post(`${ROLE}/${name}`, {
      bound_service_account_names: 'api',
      bound_service_account_namespaces: 'shop',
      audience: 'sealift',
      token_policies: 'app',
      ...role,
    });
  const logIn = (role: string, jwt: string, address = '198.51.100.30') =>
    sealift.client.post(LOG_IN, { role, jwt }, from(address));

  it('the configuration is replaced as a whole, and read with what clients know', async () => {
    const { client } = sealift;
    const pem = await cluster.pem();
    const sent = { kubernetes_host: 'https://10.0.0.1:6443', disable_local_ca_jwt: 'true' };
    await configure({ ...sent, use_annotations_as_alias_metadata: true });
    const read = {
      kubernetes_host: 'https://10.0.0.1:6443',
      kubernetes_ca_cert: '',
      pem_keys: [pem],
      issuer: cluster.issuer,
      disable_iss_validation: false,
      disable_local_ca_jwt: true,
      use_annotations_as_alias_metadata: true,
      validation: 'local',
      token_reviewer_jwt_set: false,
    };
    expect((await client.get(CONFIG)).body.data).to.deep.equal(read);
    await configure();
    const off = { disable_local_ca_jwt: false, use_annotations_as_alias_metadata: false };
    const after = { ...read, ...off, kubernetes_host: '' };
    expect((await client.get(CONFIG)).body.data).to.deep.equal(after);
    const warned = await done(client.post(CONFIG, { pem_keys: [pem] }));
    expect(warned.body.warnings.join()).to.include('without issuer, a token of any issuer counts');
    const forbidden = await done(client.post(CONFIG, { kubernetes_host: 'https://10.0.0.1:6443' }));
    expect(forbidden.body.warnings.join()).to.include('kubernetes_host will not be called');
    await configure();
    const authority = await makeAuthority();
    const broken = authority.ca.replace(/M\w/, 'AA');
    for (const [config, text] of [
      [{ pem_keys: [] }, 'no host provided'],
      [{ pem_keys: ['x'] }, 'pem_keys: error parsing public key'],
      [{ kubernetes_host: '10.0.0.1' }, 'kubernetes_host must be the URL of an API server'],
      [{ kubernetes_ca_cert: 'x' }, 'kubernetes_ca_cert has no frame: it must be between'],
      [
        { kubernetes_ca_cert: authority.issued.key },
        'kubernetes_ca_cert is a private key: send the certificate',
      ],
      [{ kubernetes_ca_cert: `${authority.ca}\n${broken}` }, 'kubernetes_ca_cert is damaged: copy it again'],
    ] as const) {
      const [status, said] = await refusal(client.post(CONFIG, { pem_keys: [pem], ...config }));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
    expect((await client.get(CONFIG)).body.data).to.deep.equal(after);
  });

  it('a role is written in part, warns without an audience, and is listed and deleted', async () => {
    const { client } = sealift;
    const warned = await done(writeRole('first', { audience: '' }));
    expect(warned.body.warnings.join()).to.include('this role does not name an audience');
    const written = await done(
      client.post(`${ROLE}/first`, { audience: 'sealift', alias_name_source: 'serviceaccount_name' }),
    );
    expect(written.status).to.equal(204);
    expect((await client.get(`${ROLE}/first`)).body.data).to.deep.equal({
      bound_service_account_names: ['api'],
      bound_service_account_namespaces: ['shop'],
      bound_service_account_namespace_selector: '',
      audience: 'sealift',
      alias_name_source: 'serviceaccount_name',
      token_policies: ['app'],
      token_ttl: 0,
      token_max_ttl: 0,
      token_explicit_max_ttl: 0,
      token_no_default_policy: false,
      token_bound_cidrs: [],
      alias_metadata: {},
      token_period: 0,
      token_num_uses: 0,
      token_type: 'default',
    });
    expect((await client.list(ROLE)).body.data.keys).to.include('first');
    await done(client.delete(`${ROLE}/first`));
    expect((await client.get(`${ROLE}/first`)).status).to.equal(404);
  });

  it('a role that would let anybody in, or asks for what there is not, is refused', async () => {
    for (const [role, text] of [
      [{ bound_service_account_names: [] }, '"bound_service_account_names" can not be empty'],
      [
        { bound_service_account_namespaces: '' },
        'can not be empty if "bound_service_account_namespace_selector" is not set',
      ],
      [{ bound_service_account_names: '*,api' }, 'can not mix "*" with values'],
      [{ alias_name_source: 'pod' }, 'invalid alias_name_source'],
      [{ token_policies: 'root' }, 'auth methods cannot create root tokens'],
    ] as const) {
      const [status, said] = await refusal(writeRole('refused', role));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
  });

  it('a pod logs in by POST and PUT, and its service account becomes the name and metadata', async () => {
    const jwt = await cluster.tokenOf(api);
    const { auth } = (await done(logIn('api', jwt))).body;
    expect(auth).to.deep.include({
      policies: ['app', 'default'],
      metadata: {
        service_account_uid: api.uid,
        service_account_name: 'api',
        service_account_namespace: 'shop',
        service_account_secret_name: '',
        role: 'api',
      },
      lease_duration: 3600,
      renewable: true,
      orphan: true,
    });
    const token = auth.client_token;
    const read = await sealift.client.get('/v1/secret/data/app', { token });
    expect(read.body.data.data).to.deep.equal({ a: '1' });
    const own = await sealift.client.get('/v1/auth/token/lookup-self', { token });
    expect(own.body.data).to.include({ display_name: 'kubernetes-shop-api', path: 'auth/kubernetes/login' });
    await done(sealift.client.call('PUT', LOG_IN, { role: 'api', jwt }, from('198.51.100.30')));
  });

  it('only the service accounts, namespaces and audience of the role log in', async () => {
    await done(writeRole('globs', { bound_service_account_namespaces: 'shop-*,other' }));
    await done(writeRole('any', { bound_service_account_names: '*', bound_service_account_namespaces: '*' }));
    await done(writeRole('open', { audience: '' }));
    const tokenIn = (namespace: string, name = 'api') =>
      cluster.tokenOf(cluster.addAccount(namespace, name), { audiences: ['x', 'sealift'] });
    const outcomes: [string, Promise<string>, number, string][] = [
      ['globs', tokenIn('shop-eu'), 200, ''],
      ['globs', tokenIn('other'), 200, ''],
      ['globs', tokenIn('shop'), 403, 'namespace not authorized'],
      ['any', tokenIn('shop', 'web'), 200, ''],
      ['api', tokenIn('shop', 'web'), 403, 'service account name not authorized'],
      ['api', tokenIn('shop', 'api2'), 403, 'service account name not authorized'],
      [
        'api',
        cluster.tokenOf(api, { audiences: ['other'] }),
        400,
        'error validating claims: aud claim does not match any bound audience',
      ],
      ['open', cluster.tokenOf(api, { audiences: ['other'] }), 200, ''],
    ];
    for (const [index, [role, jwt, status, text]] of outcomes.entries())
      expect(await refusal(logIn(role, await jwt, `198.51.100.${100 + index}`)), role).to.deep.equal([
        status,
        text,
      ]);
  });

  it('a token counts only in its time, of its issuer, with its signature and an account', async () => {
    const address = '198.51.100.31';
    const other = await makeKey('RS256', 'cluster-1');
    const now = Math.floor(Date.now() / 1000);
    for (const [jwt, text] of [
      [await cluster.tokenOf(api, { expiresIn: -90 }), 'token: the token has expired'],
      [await cluster.tokenOf(api, { claims: { nbf: now + 300 } }), 'token: the token is not valid yet (nbf)'],
      [
        await cluster.tokenOf(api, { claims: { iss: 'https://other.example' } }),
        'token: the token is of another issuer (iss)',
      ],
      [await cluster.tokenOf(api, { key: other }), 'token: no key of the issuer verifies the signature'],
      [
        await cluster.tokenOf(api, { claims: { 'kubernetes.io': undefined } }),
        'claims: the token is not one of a service account',
      ],
      [await cluster.tokenOf({ ...api, name: 'a/b' }), 'claims: the token is not one of a service account'],
      ['x.y.z', 'token: the token is no signed JWT'],
      [await cluster.oldTokenOf(api), 'token: the token has no expiration time (exp)'],
    ] as const)
      expect(await refusal(logIn('api', jwt, address))).to.deep.equal([400, `error validating ${text}`]);
    await configure({ disable_iss_validation: true });
    await done(logIn('api', await cluster.tokenOf(api, { claims: { iss: 'https://other.example' } })));
    const old = await cluster.oldTokenOf(api, { exp: now + 600, aud: 'sealift' });
    const { auth } = (await done(logIn('api', old))).body;
    expect(auth.metadata.service_account_secret_name).to.equal('api-token');
    await configure();
  });

  it('the role is told only to holders of a token that the cluster signed', async () => {
    const address = '198.51.100.32';
    const forged = await cluster.tokenOf(api, { key: await makeKey('RS256', 'cluster-1') });
    const unsigned = 'error validating token: no key of the issuer verifies the signature';
    for (const role of ['none', '-', 'api'])
      expect(await refusal(logIn(role, forged, address))).to.deep.equal([400, unsigned]);
    const signed = await cluster.tokenOf(api);
    expect((await refusal(logIn('none', signed, address)))[1]).to.equal('role "none" could not be found');
    expect((await refusal(logIn('-', signed, address)))[1]).to.equal('invalid role name "-"');
    expect((await refusal(logIn('', signed, address)))[1]).to.equal('missing role');
    expect((await refusal(logIn('api', '', address)))[1]).to.equal('missing jwt');
    await done(writeRole('bound', { token_bound_cidrs: '10.0.0.0/8' }));
    expect(await refusal(logIn('bound', signed, address))).to.deep.equal([403, 'permission denied']);
  });

  it('the audit trail has the service account, why others failed, and never a token', async () => {
    const jwt = await cluster.tokenOf(api);
    await done(logIn('api', jwt, '198.51.100.33'));
    const [entry] = await entriesWith(sealift, { address: '198.51.100.33' });
    expect(entry).to.deep.include({
      actor: 'kubernetes-shop-api',
      'auth-method': 'kubernetes',
      action: 'POST /auth/kubernetes/login',
      detail: { mount: 'kubernetes', role: 'api', user: 'shop-api', ttl_seconds: 3600 },
    });
    const web = await cluster.tokenOf(cluster.addAccount('shop', 'web'));
    await refusal(logIn('api', web, '198.51.100.34'));
    const [refused] = await entriesWith(sealift, { address: '198.51.100.34' });
    expect(refused?.detail).to.deep.equal({
      kind: 'log_in_failed',
      count: 1,
      mount: 'kubernetes',
      role: 'api',
      reason: 'service account name not authorized',
    });
    const all = JSON.stringify(await sealift.context.db('audit_events').select());
    for (const token of [jwt, web]) expect(all).to.not.include(token.slice(-40));
  });
});
