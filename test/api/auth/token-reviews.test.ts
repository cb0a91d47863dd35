import { expect } from 'chai';
import { entriesWith } from '../audit/support.ts';
import { eventually } from '../../support/eventually.ts';
import type { Sealift } from '../../support/sealift.ts';
import { startApiServer, type ApiServer } from './api-server.ts';
import { makeAuthority } from './authority.ts';
import { makeCluster, type Account, type Cluster } from './cluster.ts';
import { startReviewingCluster, type ReviewingCluster } from './reviewing-cluster.ts';
import { done, from, makeRole, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/kubernetes/config';
const LOG_IN = '/v1/auth/kubernetes/login';
const DENIED = [403, 'permission denied'];

describe('Kubernetes, with reviews of tokens by the cluster', () => {
  let sealift: Sealift;
  let cluster: Cluster;
  let server: ApiServer;
  let api: Account;
  let usual: ReviewingCluster['config'];
  before(async () => {
    ({ cluster, server, config: usual } = await startReviewingCluster());
    api = cluster.addAccount('shop', 'api');
    sealift = await startWithMethods('kubernetes', 'approle');
    await configure();
    await writeRole('api', {});
  });
  after(async () => {
    await sealift.stop();
    await server.stop();
  });

  const configure = (changes: object = {}) => done(sealift.client.post(CONFIG, { ...usual, ...changes }));
  const writeRole = (name: string, role: object) =>
    done(
      sealift.client.post(`/v1/auth/kubernetes/role/${name}`, {
        bound_service_account_names: 'api',
        bound_service_account_namespaces: 'shop',
        audience: 'sealift',
        token_policies: 'app',
        ...role,
      }),
    );
  let addresses = 0;
  // Each from an address of its own, so that no failures add up.
  const logIn = (role: string, jwt: string) => {
    addresses += 1;
    return sealift.client.post(LOG_IN, { role, jwt }, from(`198.51.100.${addresses}`));
  };
  const reasonOf = async (): Promise<unknown> => {
    const [entry] = await entriesWith(sealift, { address: `198.51.100.${addresses}` });
    return entry?.detail?.['reason'];
  };

  it('the token of a pod logs in as long as its pod and its account exist', async () => {
    const pod = cluster.addPod(api);
    const jwt = await cluster.tokenOf(api, { pod });
    const { auth } = (await done(logIn('api', jwt))).body;
    expect(auth.metadata).to.include({ service_account_name: 'api', service_account_uid: api.uid });
    expect(server.reviews.at(-1)).to.deep.equal({ by: 'sealift/reviewer', audiences: ['sealift'] });
    cluster.remove(pod);
    expect(await refusal(logIn('api', jwt))).to.deep.equal(DENIED);
    expect(await reasonOf()).to.equal('the cluster does not accept the token');

    const old = cluster.addAccount('shop', 'api');
    const left = await cluster.tokenOf(old);
    await done(logIn('api', left));
    cluster.remove(old);
    expect(await refusal(logIn('api', left))).to.deep.equal(DENIED);
  });

  it('whether an API server can be reached is told before it is stored, and no token is sent', async () => {
    const check = async (host: string, ca = '') => {
      const body = { kubernetes_host: host, kubernetes_ca_cert: ca };
      return (await sealift.client.post(`${CONFIG}/check`, body)).body;
    };
    const before = server.reviews.length;
    const reachable = { reachable: true, fault: null, field: null };
    expect((await check(server.url, server.ca)).data).to.deep.equal(reachable);
    server.state.down = 500;
    expect((await check(server.url, server.ca)).data.reachable).to.equal(true);
    server.state.down = 0;
    expect((await check('https://127.0.0.1:9')).data).to.deep.equal({
      reachable: false,
      fault: 'the API server of the cluster cannot be reached (ECONNREFUSED)',
      field: 'kubernetes_host',
    });
    expect((await check('https://10.0.0.1:6443')).data.fault).to.include('the cluster was not called');
    expect((await check('10.0.0.1')).errors[0]).to.include('must be the URL of an API server');
    expect(server.reviews).to.have.length(before);
  });

  it('a CA that did not issue the certificate of the API server is told at its field', async () => {
    const signed = await startApiServer(cluster, await makeAuthority());
    const { ca: other } = await makeAuthority();
    const check = async (host: string, ca: string) => {
      const body = { kubernetes_host: host, kubernetes_ca_cert: ca };
      return (await sealift.client.post(`${CONFIG}/check`, body)).body.data;
    };
    const answers = [
      await check(server.url, other),
      await check(signed.url, other),
      await check(signed.url, server.ca),
      await check(signed.url, ''),
      await check(signed.url, [server.ca, signed.ca].join('\n')),
    ];
    await signed.stop();
    expect(answers.pop()).to.deep.equal({ reachable: true, fault: null, field: null });
    for (const { reachable, fault, field } of answers) {
      expect([reachable, field], fault).to.deep.equal([false, 'kubernetes_ca_cert']);
      expect(fault).to.match(
        /^the certificate of the API server was not issued by (?:the given CA|any CA .*) \([A-Z_]+\)/,
      );
    }
    expect(answers.at(-1).fault).to.match(/any CA that this machine knows .*: set kubernetes_ca_cert$/);
  });

  it('the name, the namespace and the audience must be those of the role', async () => {
    const web = await cluster.tokenOf(cluster.addAccount('shop', 'web'));
    expect(await refusal(logIn('api', web))).to.deep.equal([403, 'service account name not authorized']);
    const other = await cluster.tokenOf(cluster.addAccount('other', 'api'));
    expect(await refusal(logIn('api', other))).to.deep.equal([403, 'namespace not authorized']);
    const elsewhere = await cluster.tokenOf(api, { audiences: ['elsewhere'] });
    expect(await refusal(logIn('api', elsewhere))).to.deep.equal(DENIED);
    await writeRole('open', { audience: '' });
    await done(logIn('open', elsewhere));
    expect(server.reviews.at(-1)?.audiences).to.deep.equal(['elsewhere']);
  });

  it('a token counts only as the account and the audience that the cluster names', async () => {
    const jwt = await cluster.tokenOf(api);
    const username = 'system:serviceaccount:shop:api';
    for (const [lie, reason] of [
      [{ user: { username, uid: 'another' } }, 'the cluster knows the token as that of another account'],
      [
        { user: { username: 'system:serviceaccount:shop:web', uid: api.uid } },
        'the cluster knows the token as that of another account',
      ],
      [
        { user: { username: 'system:serviceaccount:other:api', uid: api.uid } },
        'the cluster knows the token as that of another account',
      ],
      [{ audiences: ['other'] }, 'the cluster knows the token as one for another audience'],
      [{ audiences: undefined }, 'the cluster knows the token as one for another audience'],
      [{ authenticated: 'true' }, 'the cluster does not accept the token'],
    ] as const) {
      server.state.lie = lie;
      expect(await refusal(logIn('api', jwt))).to.deep.equal(DENIED);
      expect(await reasonOf()).to.equal(reason);
    }
    server.state.lie = undefined;
    await done(logIn('api', jwt));
  });

  it('nobody learns of a role without a token that the cluster knows', async () => {
    const gone = cluster.addAccount('shop', 'api');
    const jwt = await cluster.tokenOf(gone);
    cluster.remove(gone);
    const before = server.reviews.length;
    for (const role of ['none', '-']) expect(await refusal(logIn(role, jwt))).to.deep.equal(DENIED);
    expect(await refusal(logIn('api', await cluster.tokenOf({ ...api, name: 'a/b' })))).to.deep.equal(DENIED);
    expect(server.reviews).to.have.length(before);
    expect(await refusal(logIn('api', 'x.y'))).to.deep.equal([
      400,
      'error validating token: the token is no signed JWT',
    ]);
  });

  it('the cluster is not asked about a token that the configured keys did not sign', async () => {
    await configure({ pem_keys: [await (await makeCluster()).pem()], validation: 'review' });
    const before = server.reviews.length;
    expect((await refusal(logIn('api', await cluster.tokenOf(api))))[1]).to.include('no key of the issuer');
    expect(server.reviews).to.have.length(before);
    await configure({
      pem_keys: [await cluster.pem()],
      validation: 'review',
      issuer: 'https://other.example',
    });
    expect((await refusal(logIn('api', await cluster.tokenOf(api))))[1]).to.include(
      'of another issuer (iss)',
    );
    await configure();
  });

  it('a token asks about itself if there is no reviewer and its account may', async () => {
    await configure({ token_reviewer_jwt: '' });
    const audiences = [cluster.issuer, 'sealift'];
    expect(await refusal(logIn('api', await cluster.tokenOf(api, { audiences })))).to.deep.equal(DENIED);
    expect(await reasonOf()).to.include('system:auth-delegator');
    const allowed = cluster.addAccount('shop', 'api');
    server.allow(allowed);
    await done(logIn('api', await cluster.tokenOf(allowed, { audiences })));
    expect(server.reviews.at(-1)?.by).to.equal('shop/api');
    expect(await refusal(logIn('api', await cluster.tokenOf(allowed)))).to.deep.equal(DENIED);
    await configure();
  });

  it('a log-in gets 503 while the cluster fails or has another certificate', async () => {
    const jwt = await cluster.tokenOf(api);
    const text = 'the cluster could not be asked whether the token is valid: the API server of the cluster';
    for (const [down, why] of [
      [500, 'answered with status 500'],
      [302, 'answered with status 302'],
      [404, 'answered with status 404'],
      [200, 'answered with no review'],
    ] as const) {
      server.state.down = down;
      expect(await refusal(logIn('api', jwt))).to.deep.equal([503, `${text} ${why}`]);
    }
    server.state.down = 401;
    expect(await refusal(logIn('api', jwt))).to.deep.equal(DENIED);
    expect(await reasonOf()).to.equal('the cluster does not accept the token of the reviewer');
    server.state.down = 0;
    await configure({ kubernetes_ca_cert: '' });
    const untrusted =
      'the cluster could not be asked whether the token is valid: the certificate of the API server was not issued by any CA that this machine knows (DEPTH_ZERO_SELF_SIGNED_CERT): set kubernetes_ca_cert';
    expect(await refusal(logIn('api', jwt))).to.deep.equal([503, untrusted]);
    await configure();
    await done(logIn('api', jwt));
  });

  it('a cluster that has hung is asked by one log-in at a time until it answers', async () => {
    const jwt = await cluster.tokenOf(api);
    server.state.hangs = true;
    const { calls } = server.state;
    expect((await logIn('api', jwt)).status).to.equal(503);
    const both = await Promise.all([logIn('api', jwt), logIn('api', jwt)]);
    expect(both.map(({ status }) => status)).to.deep.equal([503, 503]);
    expect(server.state.calls).to.equal(calls + 2);
    server.state.hangs = false;
    await done(logIn('api', jwt));
  });

  it('log-ins that wait for a cluster that hangs hold up none by another method', async () => {
    const jwt = await cluster.tokenOf(api);
    const credentials = await makeRole(sealift);
    const shared = from('203.0.113.1');
    server.state.hangs = true;
    const { calls } = server.state;
    let answered = 0;
    const waiting = Array.from({ length: 25 }, async () => {
      await sealift.client.post(LOG_IN, { role: 'api', jwt }, shared);
      answered += 1;
    });
    await eventually(() => server.state.calls > calls);
    await done(sealift.client.post('/v1/auth/approle/login', credentials, shared));
    expect(answered).to.equal(0);
    server.state.hangs = false;
    await Promise.all(waiting);
    await eventually(async () => (await logIn('api', jwt)).status === 200);
  });

  it('a configuration that needs a cluster without one is refused', async () => {
    for (const [config, text] of [
      [{ kubernetes_host: '' }, 'no host provided'],
      [{ validation: 'local' }, 'validation=local needs pem_keys'],
      [{ validation: 'remote' }, "invalid 'validation'"],
      [{ token_reviewer_jwt: 'x' }, 'token_reviewer_jwt: it is no signed JWT'],
    ] as const) {
      const body = { kubernetes_host: server.url, ...config };
      const [status, said] = await refusal(sealift.client.post(CONFIG, body));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
  });
});
