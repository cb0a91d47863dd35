import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { AUDIT, entriesWith, entryOf, named } from './support.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

describe('refused changes in the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const rowsOf = async (
    accessor: string,
  ): Promise<{ detail: { count?: number; kind?: string } | null }[]> => {
    // A list shows what was counted until then.
    await sealift.client.get(`${AUDIT}?page[size]=1`);
    return sealift.context.db('audit_events').where({ accessor, outcome: 'refused' }).select('detail');
  };

  it('a caller who is refused without end fills no table', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const { client_token: token, accessor } = made.body.auth;
    const change = (): Promise<unknown> =>
      fetch(`${sealift.url}/v1/secret/data/flood`, {
        method: 'POST',
        headers: { 'x-vault-token': token },
        body: '{"data":{}}',
      });
    for (let round = 0; round < 24; round += 1) await Promise.all(Array.from({ length: 50 }, change));
    const rows = await rowsOf(accessor);
    // Requests that run at once are told from one another before any of them is counted.
    expect(rows.length).to.be.within(1000, 1100);
    const counted = rows.reduce((sum, { detail }) => sum + (detail?.count ?? 1), 0);
    expect(counted).to.equal(1200);
    expect(rows.some(({ detail }) => detail?.kind === 'permission_denied')).to.equal(true);
    // What such a caller may do has its entry, which is durable before.
    const allowed = await sealift.client.post('/v1/auth/token/renew-self', {}, { token, ...named('may') });
    expect(allowed.status).to.equal(200);
    expect(await entryOf(sealift, 'may')).to.include({ accessor, outcome: 'succeeded' });
    const broken = await sealift.client.post('/v1/auth/token/renew-self', undefined, {
      token,
      raw: '{',
      ...named('broken'),
    });
    expect(broken.status).to.equal(400);
    expect((await entryOf(sealift, 'broken')).detail).to.deep.equal({ kind: 'refused_change', count: 1 });
  });

  it('a cookie without its header is refused, and the trail tells whose session it is', async () => {
    const begun = await sealift.client.post('/v1/auth/session', undefined, { headers: OWN_PAGE });
    const cookie = String([begun.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
    const { accessor } = (await sealift.client.get('/v1/auth/token/lookup-self')).body.data;
    const bare = (id: string) => ({ token: null, ...named(id, { cookie, ...OWN_PAGE }) });
    const text = /a session counts only with the header X-Sealift-CSRF/;
    const write = await sealift.client.post('/v1/secret/data/x', { data: {} }, bare('bare-1'));
    expect([write.status, write.text]).to.satisfy(([s, t]: [number, string]) => s === 403 && text.test(t));
    const admin = await sealift.client.get('/api/v2/admin/audit-events', bare('bare-2'));
    expect([admin.status, admin.text]).to.satisfy(([s, t]: [number, string]) => s === 401 && text.test(t));
    for (const id of ['bare-1', 'bare-2'])
      expect(await entryOf(sealift, id)).to.deep.include({
        accessor,
        'auth-method': 'session',
        outcome: 'refused',
        detail: { kind: 'no_csrf', count: 1 },
      });
    const foreign = { cookie, 'x-sealift-csrf': begun.body.data.csrf, 'sec-fetch-site': 'cross-site' };
    await sealift.client.post('/v1/secret/data/x', { data: {} }, { token: null, ...named('page', foreign) });
    expect(await entryOf(sealift, 'page')).to.deep.include({
      accessor,
      detail: { kind: 'foreign_page', count: 1 },
    });
    const anybody = await sealift.client.get('/v1/secret/data/x', { token: null });
    expect(anybody.body.errors).to.deep.equal(['permission denied']);
    const invented = `${cookie.split('=', 1)[0]}=sls.${'A'.repeat(43)}`;
    await sealift.client.get('/v1/sys/mounts', { token: null, ...named('made-up', { cookie: invented }) });
    expect(await entryOf(sealift, 'made-up')).to.deep.include({
      accessor: null,
      detail: { kind: 'bad_token', count: 1 },
    });
    expect(await entriesWith(sealift, { accessor, outcome: 'refused' })).to.have.length(3);
  });
});
