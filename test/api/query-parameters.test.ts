import { expect } from 'chai';
import { AUTH_TYPES } from '../../libs/store/auth/mounts.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { listOperations } from '../attack/operations.ts';

const AUDIT = '/api/v2/admin/audit-events';

describe('parameters of a query', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app/db', { data: { user: 'a' } });
    for (const type of AUTH_TYPES) await sealift.client.post(`/v1/sys/auth/${type}`, { type });
  });
  after(() => sealift.stop());

  it('no read of any path answers a filter that it does not know with everything', async () => {
    const reads = (await listOperations()).filter(({ verb, isPublic }) => verb === 'get' && !isPublic);
    expect(reads.length).to.be.above(40);
    for (const { path, query } of reads) {
      const filled = path.replace('{mount}', 'secret').replaceAll(/\{\w+\}/g, 'x');
      const list = query.includes('list') ? 'list=true&' : '';
      const answer = await sealift.client.get(`${filled}?${list}filter[nobody]=x`);
      expect(answer.status, `${path} ${answer.text}`).to.equal(400);
      expect(answer.text, path).to.contain('filter[nobody] is unknown');
    }
  });

  it('a refusal names each unknown parameter and lists the known ones', async () => {
    const admin = await sealift.client.get(`${AUDIT}?filter[person]=bob&q=bob&from=2026-01-01`);
    expect(admin.status).to.equal(400);
    const { errors } = admin.body as { errors: { detail: string; source: object }[] };
    expect(errors.map(({ source }) => source)).to.deep.equal(
      ['filter[person]', 'q', 'from'].map((parameter) => ({ parameter })),
    );
    expect(errors[0]?.detail).to.contain('filter[user], ');
    const list = await sealift.client.list('/v1/secret/metadata?prefix=app');
    expect(list.status).to.equal(400);
    expect(list.body.errors).to.deep.equal([
      'prefix is unknown: known are after, limit, exclude_deleted, details',
    ]);
    const none = await sealift.client.list('/v1/sys/policy?after=default');
    expect(none.body.errors).to.deep.equal(['after is unknown: this call takes no parameters']);
  });

  it('a parameter with one value that is given twice is refused by its name', async () => {
    const open = await sealift.client.get('/v1/users/saml/login?namespace=a&namespace=b', { token: null });
    expect([open.status, open.body.errors]).to.deep.equal([
      400,
      ['namespace is given more than once: give one'],
    ]);
    const list = await sealift.client.list('/v1/secret/metadata?limit=1&limit=2');
    expect(list.body.errors).to.deep.equal(['limit is given more than once: give one']);
    const several = await sealift.client.get(`${AUDIT}?filter[user]=a&filter[user]=b`);
    expect([several.status, several.body.errors[0].detail]).to.deep.equal([
      422,
      'filter[user] is given more than once: give one',
    ]);
  });

  it('a change in site administration with an unknown parameter is refused, and nothing is done', async () => {
    const path = '/api/v2/admin/customization-settings';
    const body = { data: { attributes: { footer: 'changed' } } };
    expect((await sealift.client.patch(`${path}?dry-run=true`, body)).status).to.equal(400);
    expect((await sealift.client.get(path)).body.data.attributes.footer).to.not.equal('changed');
  });

  it('a deletion with a misspelt parameter is refused, and nothing is deleted', async () => {
    const path = '/v1/sys/sync/destinations/repo-host/kept';
    const settings = { access_token: 'ghp_x', repository_owner: 'acme', repository_name: 'web' };
    await sealift.client.post(path, settings);
    expect((await sealift.client.delete(`${path}?force_delte=true`)).status).to.equal(400);
    expect((await sealift.client.get(path)).status).to.equal(200);
  });

  it('reads that other clients send with parameters of their own are answered with a warning', async () => {
    const known = await sealift.client.get('/v1/secret/data/app/db?version=1&help=1');
    expect([known.status, known.body.warnings]).to.deep.equal([200, null]);
    const unknown = await sealift.client.get('/v1/secret/data/app/db?depth=2');
    expect(unknown.body.data.data).to.deep.equal({ user: 'a' });
    expect(unknown.body.warnings).to.deep.equal(['Endpoint ignored these unrecognized parameters: [depth]']);
    const list = await sealift.client.list('/v1/secret/metadata?help=1');
    expect([list.status, list.body.data.keys]).to.deep.equal([200, ['app/']]);
  });
});
