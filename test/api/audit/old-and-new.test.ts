import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named } from './support.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/told';
const SETTINGS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'CaNaRy-one',
  region: 'eu-central-1',
};

type Changed = Record<string, { old: unknown; new: unknown }>;

describe('old and new values in the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  let calls = 0;
  const detailOf = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const requestId = `told-${(calls += 1)}`;
    const type = method === 'PATCH' && path.startsWith('/v1/') ? 'application/merge-patch+json' : undefined;
    const options = named(requestId, type ? { 'content-type': type } : {});
    await sealift.client.call(method, path, body, options);
    const [entry] = (await entriesWith(sealift, { 'request-id': requestId })).filter(({ action }) =>
      action.includes(' '),
    );
    return entry?.detail ?? {};
  };
  const changedBy = async (method: string, path: string, body?: unknown): Promise<Changed> =>
    ((await detailOf(method, path, body))['changed'] ?? {}) as Changed;

  it('a change of the sync configuration tells both states', async () => {
    const path = '/v1/sys/sync/config';
    const off = { disabled: { old: false, new: true } };
    expect(await changedBy('PATCH', path, { disabled: true })).to.deep.equal(off);
    expect(await changedBy('DELETE', path)).to.deep.equal({ disabled: { old: true, new: false } });
  });

  it('a destination tells each field, and credentials by fingerprints', async () => {
    const made = await changedBy('POST', DESTINATION, SETTINGS);
    expect(made['region']).to.deep.equal({ old: null, new: 'eu-central-1' });
    const body = { region: 'us-east-1', secret_access_key: 'CaNaRy-two' };
    const changed = await changedBy('PATCH', DESTINATION, body);
    expect(changed['region']).to.deep.equal({ old: 'eu-central-1', new: 'us-east-1' });
    expect(changed['secret_access_key']?.old).to.equal(made['secret_access_key']?.new);
    expect(changed['secret_access_key']?.new).to.match(/^fingerprint:[0-9a-f]{16}$/);
    expect(changed['secret_access_key']?.new).to.not.equal(changed['secret_access_key']?.old);
    expect(JSON.stringify([made, changed])).to.not.include('CaNaRy');
  });

  for (const way of ['purge', 'force_delete'])
    it(`the deletion of a destination by ${way} leaves an entry for each secret`, async () => {
      const destinationPath = `/v1/sys/sync/destinations/cloud1-sm/gone-${way}`;
      await sealift.client.post(destinationPath, SETTINGS);
      const secret = `linked-${way}`;
      await sealift.client.post(`/v1/secret/data/${secret}`, { data: { a: '1' } });
      await sealift.client.post(`${destinationPath}/associations/set`, {
        mount: 'secret',
        secret_name: secret,
      });
      const detail = await detailOf('DELETE', `${destinationPath}?${way}=true`);
      const change = way === 'purge' ? 'purging' : 'deleted';
      expect(detail).to.deep.equal({ change, way, links: 1 });
      expect((await entriesWith(sealift, { secret: `secret/${secret}` }))[0]?.action).to.equal('unlink');
    });

  it('a version of a policy engine tells its attributes, before and after', async () => {
    const type = 'policy-engine-versions';
    const path = `/api/v2/admin/${type}`;
    const archs = [{ url: 'https://a.example/p', sha: 'a'.repeat(64), os: 'linux', arch: 'amd64' }];
    const made = await changedBy('POST', path, { data: { type, attributes: { version: '2.3.4', archs } } });
    expect(made['version']).to.deep.equal({ old: null, new: '2.3.4' });
    expect(JSON.stringify(made)).to.include('https://a.example/p');
    const { id } = (await sealift.client.get(path)).body.data[0];
    const off = { data: { type, attributes: { enabled: false } } };
    expect(await changedBy('PATCH', `${path}/${id}`, off)).to.deep.equal({
      enabled: { old: true, new: false },
    });
    expect(await detailOf('DELETE', `${path}/${id}`)).to.include({ version: '2.3.4', enabled: false });
  });

  it('limits of a mount and a secret are told, and custom metadata by fingerprints', async () => {
    expect(await changedBy('POST', '/v1/secret/config', { max_versions: 7 })).to.deep.equal({
      max_versions: { old: 0, new: 7 },
    });
    await sealift.client.post('/v1/secret/data/limited', { data: { a: '1' } });
    const path = '/v1/secret/metadata/limited';
    const detail = await detailOf('POST', path, { max_versions: 3, custom_metadata: { owner: 'CaNaRy' } });
    expect((detail['changed'] as Changed)['max_versions']?.new).to.equal(3);
    const metadata = detail['custom_metadata'] as Changed;
    expect(metadata['owner']?.new).to.match(/^fingerprint:/);
    const patched = await detailOf('PATCH', path, { custom_metadata: { owner: 'other' } });
    expect((patched['custom_metadata'] as Changed)['owner']?.old).to.equal(metadata['owner']?.new);
    expect(await detailOf('DELETE', '/v1/secret/data/limited')).to.deep.equal({ versions: [1] });
    expect(await detailOf('DELETE', '/v1/secret/data/limited')).to.deep.equal({ versions: [] });
  });

  it('namespaces and roles tell what became of them', async () => {
    const path = '/v1/sys/namespaces/told';
    expect(await detailOf('POST', path, {})).to.deep.include({ namespace: 'told', change: 'created' });
    expect(await detailOf('PATCH', path, { custom_metadata: { a: 'b' } })).to.include({ change: 'updated' });
    expect(await detailOf('DELETE', path)).to.deep.equal({ namespace: 'told', change: 'deleted' });
    const role = '/v1/auth/token/roles/told';
    await detailOf('POST', role, { allowed_policies: ['one'] });
    const { former } = await detailOf('DELETE', role);
    expect((former as Changed)['allowed_policies']).to.deep.equal({ old: ['one'], new: null });
  });

  it('the entry of a refused token tells what was asked', async () => {
    const poor = (await sealift.client.post('/v1/auth/token/create', { policies: ['poor'] })).body.auth;
    await sealift.client.post('/v1/sys/policies/acl/poor', {
      path: { 'auth/token/create': { capabilities: ['update'] } },
    });
    const answer = await sealift.client.post(
      '/v1/auth/token/create',
      { policies: ['root'], period: '24h' },
      { ...named('told-refused'), token: poor.client_token },
    );
    expect(answer.status).to.equal(400);
    expect((await entryOf(sealift, 'told-refused')).detail?.['asked']).to.deep.include({
      policies: ['root'],
      period: '24h',
    });
  });
});
