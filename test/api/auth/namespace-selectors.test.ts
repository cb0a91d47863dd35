import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { matchNamespace } from '../../../services/key-maintenance/clusters/match-namespace.ts';
import type { Sealift } from '../../support/sealift.ts';
import { entriesWith } from '../audit/support.ts';
import type { ApiServer } from './api-server.ts';
import type { Cluster } from './cluster.ts';
import { startReviewingCluster, type ReviewingCluster } from './reviewing-cluster.ts';
import { done, from, refusal, startWithMethods } from './support.ts';

const CONFIG = '/v1/auth/kubernetes/config';
const ROLE = '/v1/auth/kubernetes/role';
const FIELD = 'bound_service_account_namespace_selector';
const SELECTOR = '{"matchLabels":{"env":"dev"}}';
const DENIED = [403, 'namespace not authorized'];

describe('the namespace selector of a Kubernetes role', () => {
  let sealift: Sealift;
  let cluster: Cluster;
  let server: ApiServer;
  let usual: ReviewingCluster['config'];
  before(async () => {
    const reviewing = await startReviewingCluster();
    ({ cluster, server, config: usual } = reviewing);
    server.allowNamespaces(reviewing.account);
    server.label('shop', { env: 'dev', team: 'shop' });
    server.label('bank', { env: 'prod', 'example.com/env': 'dev' });
    sealift = await startWithMethods('kubernetes');
    await configure();
    await done(writeRole('api', { [FIELD]: SELECTOR }));
  });
  after(async () => {
    await sealift.stop();
    await server.stop();
  });

  const configure = (changes: object = {}) => done(sealift.client.post(CONFIG, { ...usual, ...changes }));
  const writeRole = (name: string, role: object) =>
    sealift.client.post(`${ROLE}/${name}`, {
      bound_service_account_names: 'api',
      audience: 'sealift',
      token_policies: 'app',
      ...role,
    });
  let addresses = 0;
  // Each from an address of its own, so that no failures add up.
  const logIn = async (role: string, namespace: string) => {
    addresses += 1;
    const jwt = await cluster.tokenOf(cluster.addAccount(namespace, 'api'));
    const path = '/v1/auth/kubernetes/login';
    return sealift.client.post(path, { role, jwt }, from(`198.51.100.${addresses}`));
  };
  const reasonOf = async (): Promise<unknown> => {
    const [entry] = await entriesWith(sealift, { address: `198.51.100.${addresses}` });
    return entry?.detail?.['reason'];
  };
  const read = async (name: string) => (await sealift.client.get(`${ROLE}/${name}`)).body.data;

  it('a pod logs in from a namespace whose labels are those of the selector, and from no other', async () => {
    const { auth } = (await done(logIn('api', 'shop'))).body;
    expect(auth.metadata.service_account_namespace).to.equal('shop');
    expect(server.reads.at(-1)).to.deep.equal({ by: 'sealift/reviewer', namespace: 'shop' });
    expect(await refusal(logIn('api', 'bank'))).to.deep.equal(DENIED);
    expect(await reasonOf()).to.equal('the namespace has not the labels of the role');
    expect(await refusal(logIn('api', 'unknown'))).to.deep.equal(DENIED);
    for (const [selector, mayLogIn] of [
      [{ env: 'dev', team: 'shop' }, true],
      [{ env: 'dev', team: 'bank' }, false],
      [{ 'example.com/env': 'dev' }, false],
      [{ Env: 'dev' }, false],
      [{ env: 'de' }, false],
      [{ env: '' }, false],
      [{ constructor: '' }, false],
    ] as const) {
      await done(writeRole('labels', { [FIELD]: { matchLabels: selector } }));
      const { status } = await logIn('labels', 'shop');
      expect(status, JSON.stringify(selector)).to.equal(mayLogIn ? 200 : 403);
    }
    server.label('shop', { env: 'prod' });
    expect(await refusal(logIn('api', 'shop'))).to.deep.equal(DENIED);
    server.label('shop', { env: 'dev', team: 'shop' });
  });

  it('a namespace that the role names logs in without its labels, and a name must fit as ever', async () => {
    await done(writeRole('both', { bound_service_account_namespaces: 'bank', [FIELD]: SELECTOR }));
    const { length } = server.reads;
    await done(logIn('both', 'bank'));
    expect(server.reads).to.have.length(length);
    await done(logIn('both', 'shop'));
    await done(writeRole('web', { bound_service_account_names: 'web', [FIELD]: SELECTOR }));
    expect(await refusal(logIn('web', 'shop'))).to.deep.equal([403, 'service account name not authorized']);
  });

  it('a selector is read as it was written, kept when absent and removed when empty', async () => {
    const yaml = 'matchLabels:\n  env: dev\n  team: shop\n';
    await done(writeRole('yaml', { bound_service_account_namespaces: 'bank', [FIELD]: yaml }));
    expect((await read('yaml'))[FIELD]).to.equal(yaml);
    await done(logIn('yaml', 'shop'));
    await done(sealift.client.post(`${ROLE}/yaml`, { token_ttl: 60 }));
    expect((await read('yaml'))[FIELD]).to.equal(yaml);
    await done(writeRole('yaml', { [FIELD]: { matchLabels: { env: 'dev' } } }));
    expect((await read('yaml'))[FIELD]).to.equal(SELECTOR);
    await done(writeRole('yaml', { [FIELD]: '' }));
    expect(await read('yaml')).to.include({ [FIELD]: '' });
    expect(await refusal(logIn('yaml', 'shop'))).to.deep.equal(DENIED);
    const without = { bound_service_account_namespaces: [], [FIELD]: '' };
    expect((await refusal(writeRole('yaml', without)))[1]).to.equal(
      `"bound_service_account_namespaces" can not be empty if "${FIELD}" is not set`,
    );
  });

  it('a selector that is none, or that would let in any namespace, is refused', async () => {
    const start = `${FIELD}: `;
    for (const [selector, text] of [
      ['matchLabels:\n- env: dev', 'matchLabels must be an object'],
      ['{"matchLabels":\n  "stage"\n}', 'matchLabels must be an object'],
      ['{', 'it must be an object in JSON or YAML'],
      ['env', 'it must be an object in JSON or YAML'],
      ['['.repeat(4000), 'it must be an object in JSON or YAML'],
      ['a: &a dev\nmatchLabels:\n  env: *a', 'it must be an object in JSON or YAML'],
      ['matchLabels: { env: dev }\n---\nmatchLabels: {}', 'it must be an object in JSON or YAML'],
      [[{ env: 'dev' }], 'it must be an object in JSON or YAML'],
      ['{}', 'matchLabels must be an object'],
      [{ matchLabels: {} }, 'name a label in matchLabels'],
      [{ matchLabels: { env: 'dev' }, matchExpressions: [] }, 'match expressions are not supported'],
      [{ matchLabels: { env: 'dev' }, matchFields: {} }, 'and not "matchFields"'],
      [{ matchlabels: { env: 'dev' } }, 'and not "matchlabels"'],
      ['matchLabels: { env: 1 }', 'the value of "env" must be a text, in quotes'],
      [{ matchLabels: { 'a b': 'dev' } }, '"a b" is no key of a label'],
      [{ matchLabels: { 'a/b/c': 'dev' } }, '"a/b/c" is no key of a label'],
      [{ matchLabels: { '/a': 'dev' } }, '"/a" is no key of a label'],
      [{ matchLabels: { env: '-' } }, 'the value of "env" is no value of a label'],
      [{ matchLabels: { env: 'd'.repeat(64) } }, 'the value of "env" is no value of a label'],
      [' '.repeat(5000) + SELECTOR, 'use at most 5000 characters'],
    ] as const) {
      const [status, said] = await refusal(writeRole('refused', { [FIELD]: selector }));
      expect([status, said.startsWith(start), said.includes(text)], said).to.deep.equal([400, true, true]);
    }
    expect((await sealift.client.get(`${ROLE}/refused`)).status).to.equal(404);
  });

  it('nobody logs in by labels while the cluster cannot be asked for them', async () => {
    const text = 'the cluster could not be asked whether the namespace has the labels of the role: ';
    const expectAway = async (why: string): Promise<void> => {
      const [status, said] = await refusal(logIn('api', 'shop'));
      expect([status, said.startsWith(text), said.includes(why)], said).to.deep.equal([503, true, true]);
    };
    // With keys, only the labels need the cluster.
    const local = { pem_keys: [await cluster.pem()], issuer: cluster.issuer };
    await configure(local);
    await done(logIn('api', 'shop'));
    for (const down of [500, 302, 200]) {
      server.state.down = down;
      await expectAway(down === 200 ? 'no namespace' : `status ${down}`);
    }
    server.state.down = 401;
    expect((await refusal(logIn('api', 'shop')))[1]).to.include('does not accept the token of the reviewer');
    server.state.down = 0;
    for (const lie of [
      { kind: 'Status' },
      { metadata: { name: 'bank', labels: { env: 'dev' } } },
      { metadata: undefined },
      { metadata: { name: 'shop', labels: { env: 'dev' }, annotations: { a: 'x'.repeat(300_000) } } },
    ]) {
      server.state.lie = lie;
      await expectAway('no namespace');
    }
    server.state.lie = undefined;
    await configure({ ...local, kubernetes_ca_cert: '' });
    await expectAway('not issued by any CA that this machine knows');
    server.state.hangs = true;
    await configure(local);
    await expectAway('cannot be reached');
    server.state.hangs = false;

    const other = cluster.addAccount('sealift', 'other');
    server.allow(other);
    await configure({ ...local, token_reviewer_jwt: await cluster.oldTokenOf(other) });
    const [status, said] = await refusal(logIn('api', 'shop'));
    expect([status, said]).to.deep.equal([
      403,
      'namespace not authorized: the cluster does not let the reviewer read namespaces: bind its service account to a role that may get them',
    ]);
    expect(await reasonOf()).to.include('does not let the reviewer read namespaces');
    await configure({ ...local, token_reviewer_jwt: '' });
    expect((await refusal(logIn('api', 'shop')))[1]).to.include('need a token_reviewer_jwt');
    await configure({ ...local, kubernetes_host: '' });
    expect((await refusal(logIn('api', 'shop')))[1]).to.include('need a kubernetes_host');
    const warned = await done(writeRole('api', { [FIELD]: SELECTOR }));
    expect(warned.body.warnings.join()).to.include('until the configuration has a kubernetes_host');
    await configure();
    await done(logIn('api', 'shop'));
  });

  it('a token that the cluster does not know learns nothing of labels', async () => {
    const { length } = server.reads;
    const gone = cluster.addAccount('shop', 'api');
    const jwt = await cluster.tokenOf(gone);
    cluster.remove(gone);
    const path = '/v1/auth/kubernetes/login';
    const answer = refusal(sealift.client.post(path, { role: 'api', jwt }, from('198.51.100.250')));
    expect(await answer).to.deep.equal([403, 'permission denied']);
    expect(server.reads).to.have.length(length);
  });

  it('the account of the own pod reads namespaces of its cluster, and no other path', async () => {
    const account = cluster.addAccount('sealift', 'worker');
    server.allowNamespaces(account);
    const directory = await mkdtemp(join(tmpdir(), 'sealift-pod-'));
    await writeFile(join(directory, 'token'), await cluster.oldTokenOf(account));
    await writeFile(join(directory, 'ca.crt'), server.ca);
    const { hostname, port } = new URL(server.url);
    const environment = (name: string) =>
      ({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port })[name];
    const match = async (change: object = {}) => {
      const { config } = sealift.context;
      const access = { host: server.url, ca: '', reviewer: null, isOwnForbidden: false, namespace: '' };
      const request = { ...access, name: 'shop', labels: { env: 'dev' }, ...change };
      return (await matchNamespace({ config }, request, { environment, directory })).outcome;
    };
    expect(await match()).to.equal('matches');
    expect(server.reads.at(-1)?.by).to.equal('sealift/worker');
    expect(await match({ isOwnForbidden: true })).to.equal('reviewer_refused');
    expect(await match({ namespace: 'team' })).to.equal('reviewer_refused');
    const { calls } = server.state;
    for (const name of ['..', '.', 'shop/../bank', 'shop?x', 'Shop', 's'.repeat(64)])
      expect(await match({ name })).to.equal('differs');
    expect(server.state.calls).to.equal(calls);
    await rm(directory, { recursive: true });
  });
});
