import { expect } from 'chai';
import { REFUSED_HEADERS, REFUSED_PARAMETERS } from '../../services/api/routing/refuse-unoffered.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('What changes security or where a value lies', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
  });
  after(() => sealift.stop());

  describe('in a header or a parameter', () => {
    const values: Record<string, string> = {
      'X-Vault-MFA': 'my_totp:695452',
      'X-Vault-Policy-Override': 'true',
      'X-Vault-Wrap-Format': 'jwt',
      'X-Vault-Recover-Snapshot-Id': '2403d301-94f2-46a1-a39d-02be83e2831a',
      'X-Vault-Recover-Source-Path': 'secret/data/other',
    };

    for (const { name } of REFUSED_HEADERS) {
      it(`is refused, not ignored: ${name}`, async () => {
        const headers = { [name]: values[name] ?? '' };
        for (const path of ['/v1/secret/data/app', '/v1/sys/mounts', '/api/v2/admin/general-settings']) {
          const answer = await sealift.client.get(path, { headers });
          expect(answer.status, path).to.equal(400);
          expect(answer.text, path).to.contain(`leave ${name} out`);
        }
        await sealift.client.post('/v1/secret/data/never', { data: { a: 1 } }, { headers });
        expect((await sealift.client.get('/v1/secret/data/never')).status).to.equal(404);
      });
    }

    for (const name of REFUSED_PARAMETERS) {
      it(`is refused, not ignored: the parameter ${name}`, async () => {
        const answer = await sealift.client.get(`/v1/secret/data/app?${name}=2403d301`);
        expect(answer.status).to.equal(400);
        expect(answer.text).to.contain(`leave ${name} out`);
      });
    }

    it('is taken where it asks for nothing, as is what only finds a way into a cluster', async () => {
      const headers = {
        'X-Vault-Request': 'true',
        'X-Vault-Policy-Override': 'false',
        'X-Vault-Wrap-Format': 'token',
        'X-Vault-Index': 'aW5kZXg=',
        'X-Vault-Forward': 'active-node',
        'X-Vault-Inconsistent': 'forward-active-node',
        'X-Vault-No-Request-Forwarding': 'true',
      };
      expect((await sealift.client.get('/v1/secret/data/app', { headers })).status).to.equal(200);
    });
  });
});
