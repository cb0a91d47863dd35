import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pathOf, startAdmin, type AdminSealift } from '../../settings/support/admin.ts';
import { VERSIONS } from '../policy-engine-versions/support.ts';

const AUDIT = '/api/v2/admin/audit-events';
const RETENTION = '/api/v2/admin/data-retention-policy-settings';

describe('the JSON API of site administration', () => {
  let sealift: AdminSealift;

  before(async () => {
    sealift = await startAdmin();
  });

  after(() => sealift.stop());

  it('a call without a body is taken whatever its content type says', async () => {
    const revoke = `${pathOf('saml')}/actions/revoke-old-certificate`;
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const headers = { 'content-type': type };
      expect((await sealift.client.post(revoke, undefined, { raw: '', headers })).status, type).to.equal(200);
      expect((await sealift.client.delete(RETENTION, { headers })).status, type).to.equal(204);
    }
  });

  it('a body under an extension of the media type is refused with 415', async () => {
    const change = (type: string) =>
      sealift.client.patch(
        pathOf('sms'),
        { data: { attributes: {} } },
        { headers: { 'content-type': `application/vnd.api+json${type}` } },
      );
    for (const type of ['; ext="https://jsonapi.org/ext/version"', ';charset=utf-8; EXT=x']) {
      const answer = await change(type);
      expect(answer.status, type).to.equal(415);
      expect(answer.body.errors[0].detail).to.match(/extension/);
    }
    for (const type of ['; charset=utf-8', '; profile="https://a.example/p"', ';'])
      expect((await change(type)).status, type).to.equal(200);
  });

  it('a compressed body is read, and an encoding beyond gzip, deflate and br is refused with 415', async () => {
    const address = `${sealift.url}${pathOf('customization')}`;
    const headers = {
      authorization: `Bearer ${sealift.token}`,
      'content-type': 'application/vnd.api+json',
      'content-encoding': 'gzip',
    };
    const body = gzipSync('{"data":{"attributes":{"footer":"packed"}}}');
    expect((await fetch(address, { method: 'PATCH', headers, body })).status).to.equal(200);
    expect(await sealift.read('customization')).to.include({ footer: 'packed' });
    for (const path of [pathOf('customization'), '/v1/sys/mounts/kv2']) {
      const answer = await sealift.client.call(
        path.startsWith('/api/') ? 'PATCH' : 'POST',
        path,
        {},
        { headers: { 'content-encoding': 'zstd' } },
      );
      expect(answer.status, path).to.equal(415);
      expect(answer.text, path).to.contain('gzip, deflate or br');
      expect(answer.headers['accept-encoding'], path).to.equal('gzip, deflate, br');
    }
  });

  for (const path of [VERSIONS, AUDIT, pathOf('saml')]) {
    it(`a request to include or to sort at ${path} is refused with 400 and the parameter`, async () => {
      for (const parameter of ['include', 'sort']) {
        const answer = await sealift.client.get(`${path}?${parameter}=version`);
        expect(answer.status).to.equal(400);
        expect(answer.body.errors).to.have.length(1);
        expect(answer.body.errors[0]).to.deep.include({ status: '400', source: { parameter } });
      }
    });
  }

  const faults = {
    'page[after]': ['1.5', '-1', 'x', '9'.repeat(400)],
    'page[size]': ['0', 'ten'],
    'filter[since]': [
      'yesterday',
      '0000-01-01T00:00:00Z',
      '2026-01-01T00:00:00+16:00',
      '2026-01-01T00:00:00-1600',
      '2026-02-30T00:00:00Z',
      `2026-01-01T00:00:00.${'0'.repeat(200)}Z`,
    ],
    'filter[until]': ['0000-12-31T23:59:59Z'],
    'filter[path]': ['%00'],
  };
  for (const [parameter, values] of Object.entries(faults)) {
    for (const value of values) {
      it(`a request with ${parameter}=${value.slice(0, 30)} is refused, and the parameter is named`, async () => {
        const query = `${encodeURIComponent(parameter)}=${value.replace('+', '%2B')}`;
        const answer = await sealift.client.get(`${AUDIT}?${query}`);
        expect(answer.status, answer.text).to.equal(422);
        expect(answer.body.errors).to.have.length(1);
        expect(answer.body.errors[0]).to.deep.include({ status: '422', source: { parameter } });
        expect(answer.body.errors[0].detail).to.contain(parameter);
      });
    }
  }

  it('times are taken in every valid offset', async () => {
    for (const time of ['2026-01-01T00:00:00+14:00', '0001-01-01T00:00:00Z', '2026-01-01T00:00:00.123456Z']) {
      const answer = await sealift.client.get(`${AUDIT}?filter[since]=${encodeURIComponent(time)}`);
      expect(answer.status, time).to.equal(200);
    }
  });

  it('a 405 says which methods the path knows', async () => {
    const allowOf = async (method: string, path: string) => {
      const answer = await sealift.client.call(method, path);
      expect(answer.status, path).to.equal(405);
      return answer.headers['allow'];
    };
    expect(await allowOf('DELETE', VERSIONS)).to.equal('GET, HEAD, POST');
    expect(await allowOf('POST', `${VERSIONS}/tool-1`)).to.equal('DELETE, GET, HEAD, PATCH');
    expect(await allowOf('DELETE', '/v1/secret/config')).to.equal('GET, HEAD, POST, PUT');
  });
});
