import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';

import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { createAppKeys } from '../../sandbox/github-secrets/key-pair.ts';
import type { CallOptions } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { githubWorker } from '../../support/github-worker.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { create, destinationPath, expectOk, expectRefused, putSecret, recordsOf, set } from './support.ts';

const FIRST = createAppKeys();
const SECOND = createAppKeys();
const PLACE = { repository_owner: 'acme', repository_name: 'web' };
const SIGNS_IN = { ...PLACE, app_name: 'sealift', installation_id: 7 };

const appPath = (name: string): string => `/v1/sys/sync/github-apps/${name}`;

describe('GitHub Apps', () => {
  let fake: RepoHostFake;
  let sealift: Sealift;
  const app = { app_id: 42, private_key: FIRST.privateKey };
  const web = destinationPath('web', 'repo-host');

  const install = (publicKey: string): void =>
    fake.apps.put({ id: 42, publicKey, installations: [{ id: 7, permissions: { secrets: 'write' } }] });
  const tokenWith = async (path: object): Promise<CallOptions> => {
    await sealift.client.post('/v1/sys/policies/acl/own', { path });
    const { body } = await sealift.client.post('/v1/auth/token/create', { policies: ['own'] });
    return { token: body.auth.client_token };
  };
  const all = { capabilities: ['create', 'read', 'update', 'patch', 'delete', 'list'] };

  before(async () => {
    fake = await startRepoHostFake();
    sealift = await startSealift({
      // A failed sign-in leaves it open for two leases whether anything was written.
      environment: { RETRY_MIN: '50', RETRY_MAX: '200', CALL_TIMEOUT: '2000', LEASE: '4000' },
      workers: { 'repo-host': githubWorker(fake) },
    });
    await putSecret(sealift.client, 'app', { TOKEN: 'one' });
  });
  beforeEach(() => install(FIRST.publicKey));
  afterEach(async () => {
    await sealift.client.delete(`${web}?force_delete=true`);
    await sealift.client.delete(appPath('sealift'));
    fake.reset();
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('an app reads back with the fingerprint that GitHub shows, and never with its key', async () => {
    const der = createPublicKey(FIRST.publicKey).export({ type: 'spki', format: 'der' });
    const fingerprint = createHash('sha256').update(der).digest('base64');
    const expected = { name: 'sealift', app_id: 42, fingerprint, private_key: '*****' };
    expect(expectOk(await sealift.client.post(appPath('sealift'), app))).to.deep.equal(expected);
    expect(expectOk(await sealift.client.get(appPath('sealift')))).to.deep.equal(expected);
    const listed = expectOk(await sealift.client.call('LIST', '/v1/sys/sync/github-apps'));
    expect(listed).to.deep.equal({ keys: ['sealift'] });
    const [row] = await sealift.context.db('github_apps').select('*');
    expect(JSON.stringify(row)).to.not.contain('PRIVATE KEY');
    expect((await sealift.client.delete(appPath('sealift'))).status).to.equal(204);
    expect((await sealift.client.delete(appPath('sealift'))).status).to.equal(204);
    expect((await sealift.client.get(appPath('sealift'))).status).to.equal(404);
    expect((await sealift.client.call('LIST', '/v1/sys/sync/github-apps')).status).to.equal(404);
  });

  it('a key that cannot sign for an app is refused without being repeated', async () => {
    const elliptic = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const weak = createAppKeys(1024).privateKey;
    const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----';
    for (const private_key of [weak, locked, elliptic.privateKey, FIRST.publicKey, 'not-a-key-at-all']) {
      const text = expectRefused(await sealift.client.post(appPath('sealift'), { ...app, private_key }), 400);
      expect(text).to.contain('an RSA key of 2048 to 4096 bits');
      expect(text).to.not.contain('not-a-key-at-all');
    }
    for (const [body, says] of [
      [{ app_id: 42 }, 'private_key is required'],
      [{ app_id: 42, private_key: '*****' }, 'private_key is required'],
      [{ private_key: FIRST.privateKey }, 'app_id is required'],
      [{ ...app, enterprise_url: 'https://169.254.169.254' }, 'enterprise_url: '],
    ] as const)
      expect(expectRefused(await sealift.client.post(appPath('sealift'), body), 400)).to.contain(says);
    expectRefused(await sealift.client.post(appPath('a%20b'), app), 400);
  });

  it('a destination signs in as its app and pushes, and reads back both forms of its name', async () => {
    expectOk(await sealift.client.call('PUT', appPath('sealift'), app));
    // As Terraform's provider does it.
    const { connection_details: details } = expectOk(
      await sealift.client.call('PUT', destinationPath('web', 'gh'), SIGNS_IN),
    );
    expect(details).to.include({ app_name: 'sealift', installation_id: 7 });
    expect(details.app_config).to.deep.equal({ app_name: 'sealift' });
    expect(details).to.not.have.property('access_token');
    expect(expectOk(await sealift.client.post(`${web}/check`))).to.include({ ok: true });
    const [record] = recordsOf(await set(sealift.client, web, 'app', { headers: {} }));
    expect(record).to.include({ sync_status: 'SYNCED' });
    expect(fake.entries()[0]).to.include({ value: 'one' });
    const { in_use } = expectOk(await sealift.client.get(`${web}/credentials`));
    expect(in_use).to.deep.equal({ app_name: 'sealift', installation_id: '7' });
  });

  it('an app wins over a token, which stays for the time after it', async () => {
    await create(sealift.client, appPath('sealift'), app);
    await create(sealift.client, web, { ...SIGNS_IN, access_token: 'ghp_never-given' });
    expect(expectOk(await sealift.client.post(`${web}/check`))).to.include({ ok: true });
    expectOk(await sealift.client.patch(web, { access_token: 'ghp_valid' }));
    expectOk(await sealift.client.patch(web, { app_name: null, installation_id: null }));
    fake.clearCalls();
    expect(expectOk(await sealift.client.post(`${web}/check`))).to.include({ ok: true });
    expect(fake.callsOf('signIn')).to.deep.equal([]);
  });

  it('settings that name only a half, or no credentials at all, are refused', async () => {
    await create(sealift.client, appPath('sealift'), app);
    for (const [body, says] of [
      [{ ...PLACE, app_name: 'sealift' }, 'must be given together'],
      [{ ...PLACE, installation_id: 7, access_token: 'ghp_valid' }, 'must be given together'],
      [PLACE, 'access_token is required, or app_name'],
      [{ ...SIGNS_IN, app_name: 'nowhere' }, 'no GitHub App nowhere'],
      [{ ...PLACE, app_config: { app_name: 'sealift' } }, 'app_config is not a setting'],
    ] as const)
      expect(expectRefused(await sealift.client.post(web, body), 400)).to.contain(says);
  });

  it('an app works at its own server and in its own namespace only', async () => {
    await create(sealift.client, appPath('sealift'), app);
    await create(sealift.client, appPath('ours'), { ...app, enterprise_url: 'https://github.example.com' });
    for (const [name, enterprise_url] of [
      ['sealift', 'https://github.example.com'],
      ['ours', 'https://evil.example.com'],
      ['ours', ''],
    ]) {
      const body = { ...SIGNS_IN, app_name: name, enterprise_url };
      expect(expectRefused(await sealift.client.post(web, body), 400)).to.contain('enterprise_url: must be');
      expectRefused(await sealift.client.post(`${web}/check`, body), 400);
    }
    await create(sealift.client, web, {
      ...SIGNS_IN,
      app_name: 'ours',
      enterprise_url: 'https://GitHub.example.com/',
    });
    expectRefused(await sealift.client.patch(web, { enterprise_url: 'https://evil.example.com' }), 400);
    await sealift.client.post('/v1/sys/namespaces/inner');
    const inner = await sealift.client.post(web, SIGNS_IN, { namespace: 'inner' });
    expect(expectRefused(inner, 400)).to.contain('no GitHub App sealift');
    await create(sealift.client, appPath('theirs'), app, { namespace: 'inner' });
    const refused = await sealift.client.delete('/v1/sys/namespaces/inner');
    expect(expectRefused(refused, 400)).to.contain('1 github app');
    await sealift.client.delete(`${web}?force_delete=true`);
    await sealift.client.delete(appPath('ours'));
  });

  it('whoever may not read an app can neither use it nor try it', async () => {
    await create(sealift.client, appPath('sealift'), app);
    const writer = await tokenWith({ 'sys/sync/destinations/*': all });
    for (const path of [web, `${web}/check`]) {
      const text = expectRefused(await sealift.client.post(path, SIGNS_IN, writer), 403);
      expect(text).to.contain('needs the capability read on sys/sync/github-apps/sealift');
    }
    await create(sealift.client, web, SIGNS_IN);
    expectRefused(await sealift.client.patch(web, { repository_name: 'other' }, writer), 403);
    const reader = await tokenWith({
      'sys/sync/destinations/*': all,
      'sys/sync/github-apps/sealift': { capabilities: ['read'] },
    });
    expectOk(await sealift.client.patch(web, { repository_name: 'other' }, reader));
  });

  it('an app in use is neither deleted nor turned into another one', async () => {
    await create(sealift.client, appPath('sealift'), app);
    await create(sealift.client, web, SIGNS_IN);
    const refused = expectRefused(await sealift.client.delete(appPath('sealift')), 400);
    expect(refused).to.contain('in use by 1 destination (repo-host/web)');
    for (const change of [{ app_id: 43 }, { enterprise_url: 'https://github.example.com' }]) {
      const answer = await sealift.client.post(appPath('sealift'), { ...app, ...change });
      expect(expectRefused(answer, 400)).to.contain('cannot change while');
    }
    await sealift.client.delete(`${web}?force_delete=true`);
    const masked = { app_id: 43, private_key: '*****' };
    const text = expectRefused(await sealift.client.post(appPath('sealift'), masked), 400);
    expect(text).to.contain('private_key must be sent again with a new app_id');
    expect(expectOk(await sealift.client.post(appPath('sealift'), { ...app, app_id: 43 })).app_id).to.equal(
      43,
    );
    expect((await sealift.client.delete(appPath('sealift'))).status).to.equal(204);
  });

  it('a new key heals the destinations that the former one failed', async () => {
    await create(sealift.client, appPath('sealift'), app);
    await create(sealift.client, web, SIGNS_IN);
    install(SECOND.publicKey);
    const [failed] = recordsOf(await set(sealift.client, web, 'app', { headers: {} }));
    expect(failed?.['cause']).to.include({ class: 'EXTERNAL_SERVICE_ERROR', code: 'app_unsettled' });
    await create(sealift.client, appPath('sealift'), { ...app, private_key: SECOND.privateKey });
    await eventually(async () => {
      const [record] = recordsOf(await sealift.client.get(`${web}/associations`));
      return record?.['sync_status'] === 'SYNCED';
    });
  });

  it('the key stays when only asterisks are sent for it', async () => {
    await create(sealift.client, appPath('sealift'), app);
    const before = expectOk(await sealift.client.get(appPath('sealift')));
    await create(sealift.client, appPath('sealift'), { app_id: '42', private_key: '*****' });
    expect(expectOk(await sealift.client.get(appPath('sealift')))).to.deep.equal(before);
    await create(sealift.client, web, SIGNS_IN);
    expect(expectOk(await sealift.client.post(`${web}/check`))).to.include({ ok: true });
  });

  it('a change that somebody else overtook is refused', async () => {
    const made = await sealift.client.post(appPath('sealift'), app);
    const stamp = { headers: { 'if-match': String(made.headers['etag']) } };
    await create(sealift.client, appPath('sealift'), { ...app, private_key: SECOND.privateKey });
    expect((await sealift.client.post(appPath('sealift'), app, stamp)).status).to.equal(412);
    const isNew = { headers: { 'if-none-match': '*' } };
    expect((await sealift.client.post(appPath('sealift'), app, isNew)).status).to.equal(412);
  });
});
