import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { unseal } from '../../../libs/crypto/seal.ts';
import { entriesWith } from '../audit/support.ts';
import { reviewToken } from '../../../services/key-maintenance/clusters/review.ts';
import type { Sealift } from '../../support/sealift.ts';
import type { ApiServer } from './api-server.ts';
import type { Cluster } from './cluster.ts';
import { startReviewingCluster } from './reviewing-cluster.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/kubernetes/config';

describe('the token with which a cluster is asked', () => {
  let sealift: Sealift;
  let cluster: Cluster;
  let server: ApiServer;
  let reviewer: string;
  before(async () => {
    const reviewing = await startReviewingCluster();
    ({ cluster, server } = reviewing);
    reviewer = reviewing.config.token_reviewer_jwt;
    sealift = await startWithMethods('kubernetes');
  });
  after(async () => {
    await sealift.stop();
    await server.stop();
  });

  const write = (config: object) =>
    sealift.client.post(
      CONFIG,
      { kubernetes_host: server.url, kubernetes_ca_cert: server.ca, ...config },
      from('198.51.100.40', { token: sealift.token }),
    );
  const isSet = async () => (await sealift.client.get(CONFIG)).body.data.token_reviewer_jwt_set;

  it('the token is stored sealed, shown to nobody, kept when absent and removed when empty', async () => {
    const { db, keyring } = sealift.context;
    await done(write({ token_reviewer_jwt: reviewer }));
    expect(await isSet()).to.equal(true);
    const row = await db('auth_mounts').where({ path: 'kubernetes' }).first();
    const opened = unseal(keyring, row.sealed_token_reviewer, `auth_mounts/${row.id}`).toString();
    expect(opened).to.equal(reviewer);
    expect(JSON.stringify(row.config)).to.not.include(reviewer.slice(-40));
    await done(write({ issuer: 'https://c.example' }));
    expect(await isSet()).to.equal(true);
    await done(write({ token_reviewer_jwt: '' }));
    expect(await isSet()).to.equal(false);
    const entries = await entriesWith(sealift, { address: '198.51.100.40' });
    expect(JSON.stringify(entries)).to.include('"token_reviewer_jwt":"replaced"');
    expect(JSON.stringify(entries)).to.not.include(reviewer.slice(-40));
  });

  it('a stored token is not sent to another host than it was given for', async () => {
    await done(write({ token_reviewer_jwt: reviewer }));
    const [status, said] = await refusal(write({ kubernetes_host: 'https://collector.example' }));
    expect([status, said.includes('send it with a new kubernetes_host')], said).to.deep.equal([400, true]);
    await done(write({ kubernetes_host: 'https://collector.example', token_reviewer_jwt: reviewer }));
    await done(write({ token_reviewer_jwt: '' }));
  });

  it('the account of the own pod asks its own cluster only, where the operator allows it', async () => {
    const account = cluster.addAccount('sealift', 'worker');
    server.allow(account);
    const directory = await mkdtemp(join(tmpdir(), 'sealift-pod-'));
    await writeFile(join(directory, 'token'), await cluster.oldTokenOf(account));
    await writeFile(join(directory, 'ca.crt'), server.ca);
    const { hostname, port } = new URL(server.url);
    const inPod = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const environments = { inPod, elsewhere: { ...inPod, KUBERNETES_SERVICE_PORT: '6443' }, outside: {} };
    const jwt = await cluster.tokenOf(cluster.addAccount('shop', 'api'));
    const asksAs = async (where: keyof typeof environments, change: object = {}) => {
      const { config } = sealift.context;
      const request = {
        host: server.url,
        ca: server.ca,
        token: jwt,
        audiences: ['sealift'],
        reviewer: null,
        isOwnForbidden: false,
        namespace: '',
        ...change,
      };
      const environment = (name: string) => (environments[where] as Record<string, string>)[name];
      const { outcome } = await reviewToken({ config }, request, { environment, directory });
      return outcome === 'authenticated' ? server.reviews.at(-1)?.by : outcome;
    };
    expect(await asksAs('inPod')).to.equal('sealift/worker');
    expect(await asksAs('inPod', { reviewer })).to.equal('sealift/reviewer');
    // The token of the pod asks about itself then, and may not.
    expect(await asksAs('inPod', { isOwnForbidden: true })).to.equal('refused');
    expect(await asksAs('inPod', { namespace: 'team' })).to.equal('refused');
    expect(await asksAs('elsewhere')).to.equal('refused');
    expect(await asksAs('outside')).to.equal('refused');
    await rm(directory, { recursive: true });
  });

  it('a cluster at an address that may not be called is not asked', async () => {
    const { config } = sealift.context;
    const request = {
      ca: server.ca,
      token: reviewer,
      audiences: [],
      reviewer,
      isOwnForbidden: true,
      namespace: '',
    };
    for (const host of ['https://169.254.169.254', 'https://[::ffff:10.0.0.1]', 'https://localhost']) {
      const { outcome, detail } = await reviewToken({ config }, { ...request, host });
      expect([outcome, detail.split(':')[0]], host).to.deep.equal([
        'unavailable',
        'the cluster was not called',
      ]);
    }
  });
});
