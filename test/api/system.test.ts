import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('system endpoints', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const get = (path: string) => sealift.client.get(path, { token: null });

  it('anybody may ask at the top level whether the installation is up', async () => {
    const seal = await get('/v1/sys/seal-status');
    expect(seal.status).to.equal(200);
    expect(seal.body).to.include({ type: 'shamir', initialized: true, sealed: false, t: 1, n: 1 });
    expect(seal.body.version).to.match(/^\d+\.\d+\.\d+/);
    expect((await get('/v1/sys/health?standbyok=true')).body).to.include({
      initialized: true,
      sealed: false,
      standby: false,
    });
    expect((await sealift.client.call('HEAD', '/v1/sys/health', undefined, { token: null })).status).to.equal(
      200,
    );
    expect((await get('/v1/sys/leader')).body).to.include({ ha_enabled: false, is_self: true });
    expect((await get('/v1/sys/init')).body).to.deep.equal({ initialized: true });
  });

  it('infrastructure tools are told where the site administration is', async () => {
    const services = await get('/.well-known/terraform.json');
    expect(services.status).to.equal(200);
    expect(services.headers['content-type']).to.contain('application/json');
    for (const name of ['tfe.v2', 'tfe.v2.1', 'tfe.v2.2'])
      expect((await get(`${services.body[name]}ping`)).status, name).to.equal(204);
  });

  it('syncing is shown as activated; another activation changes nothing and needs a right', async () => {
    const flags = { activated: ['secrets-sync'], unactivated: [] };
    expect((await get('/v1/sys/activation-flags')).body.data).to.deep.equal(flags);
    const path = '/v1/sys/activation-flags/secrets-sync/activate';
    expect((await sealift.client.call('PUT', path)).body.data).to.deep.equal(flags);
    expect((await sealift.client.post(path, {}, { token: null })).status).to.equal(403);
    await sealift.client.post('/v1/sys/namespaces/inner');
    expect((await sealift.client.post(path, {}, { namespace: 'inner' })).status).to.equal(403);
  });

  it('an answer carries the caller’s request id where it is a sane one', async () => {
    const given = await sealift.client.get('/v1/sys/mounts', { headers: { 'x-request-id': 'abc-1' } });
    expect(given.headers['x-request-id']).to.equal('abc-1');
    expect(given.body.request_id).to.equal('abc-1');
    const odd = await sealift.client.get('/v1/sys/mounts', { headers: { 'x-request-id': 'a b{}' } });
    expect(odd.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
  });
});
