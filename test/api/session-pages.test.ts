import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('the list of sessions', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/namespaces/team');
  });
  after(() => sealift.stop());

  it('sessions are listed in pages, the last used first, and each of them once', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const token: string = made.body.auth.client_token;
    const signIn = { token, headers: { 'sec-fetch-site': 'same-origin' } };
    for (let count = 0; count < 5; count += 1)
      expect((await sealift.client.post('/v1/auth/session', undefined, signIn)).status).to.equal(200);
    const list = async (query: string) =>
      (await sealift.client.list(`/v1/auth/session${query}`, { token })).body.data;
    const whole = await list('');
    expect([whole.keys.length, whole.next_after]).to.deep.equal([5, null]);
    const [first, second] = whole.keys.map(Number) as number[];
    // Two were used within one millisecond.
    await sealift.context.db.raw(
      `UPDATE sessions SET last_used_at = date_trunc('milliseconds', now()) + (id % 7) * interval '1 microsecond'
       WHERE id IN (?, ?)`,
      [first ?? 0, second ?? 0],
    );
    const seen: string[] = [];
    let page = await list('?limit=1');
    while (page.next_after !== null) {
      seen.push(...page.keys);
      page = await list(`?limit=1&after=${page.next_after}`);
    }
    seen.push(...page.keys);
    expect(seen).to.deep.equal((await list('')).keys);
    const { next_after: foreign } = await list('?limit=2');
    const elsewhere = { namespace: 'team' };
    expect((await sealift.client.list(`/v1/auth/session?after=${foreign}`, elsewhere)).status).to.equal(400);
    for (const query of ['?limit=0', '?limit=501', '?after=x'])
      expect((await sealift.client.list(`/v1/auth/session${query}`, { token })).status).to.equal(400);
    for (const id of ['x', '0', '1e3', '-1', '9'.repeat(30)])
      expect((await sealift.client.delete(`/v1/auth/session/${id}`)).status).to.equal(204);
    expect((await list('')).keys).to.have.length(5);
  });
});
