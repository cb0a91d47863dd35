import { expect } from 'chai';
import { createClient, type Client } from '../../support/client.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

const gently = { headers: { 'sealift-empty': '204' } };

const asBearer = (token: string) => ({ headers: { ...gently.headers, authorization: `Bearer ${token}` } });

describe('reads that find nothing', () => {
  let sealift: Sealift;
  let client: Client;
  before(async () => {
    sealift = await startSealift();
    // The document describes what callers get who do not ask for it.
    client = createClient(sealift.url, sealift.token, { isUnchecked: true });
  });
  after(() => sealift.stop());

  it('a page that asks for it gets 204 where others get 404 for an empty list', async () => {
    const teams = '/v1/sys/teams?list=true';
    expect((await client.get(teams)).status).to.equal(404);
    const empty = await client.get(teams, gently);
    expect(empty).to.include({ status: 204, text: '' });
    expect((await client.get(teams, { headers: { 'sealift-empty': 'other' } })).status).to.equal(404);
  });

  it('a caller who may not read it, or misspells it, is refused as ever', async () => {
    expect((await client.get('/v1/sys/teams?list=true', asBearer('x'))).status).to.equal(403);
    expect((await client.get('/v1/sys/no-such-thing', gently)).status).to.not.equal(204);
    const made = await client.post('/v1/auth/token/create', { policies: ['default'] });
    const other = asBearer(made.body.auth.client_token);
    expect((await client.get('/api/v2/admin/general-settings', other)).status).to.equal(404);
  });
});
