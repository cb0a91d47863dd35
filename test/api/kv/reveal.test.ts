import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('revealing values', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app/db', { data: { user: 'app', password: 'first' } });
    const raw = '{"data":{"user":"app","password":"second","big":12345678901234567890}}';
    await sealift.client.post('/v1/secret/data/app/db', undefined, { raw });
  });

  after(() => sealift.stop());

  const tokenWith = async (name: string, path: Record<string, object>): Promise<string> => {
    await sealift.client.post(`/v1/sys/policies/acl/${name}`, { path });
    return (await sealift.client.post('/v1/auth/token/create', { policies: [name] })).body.auth.client_token;
  };

  it('one key is shown as its text, and no digit of a number is lost', async () => {
    const one = await sealift.client.post('/v1/sys/reveal/secret/app/db', { keys: ['password'] });
    expect(one.body.data.values).to.deep.equal({ password: { text: 'second', is_text: true } });
    expect(one.body.data.metadata.version).to.equal(2);
    const old = await sealift.client.post('/v1/sys/reveal/secret/app/db', { keys: ['password'], version: 1 });
    expect(old.body.data.values.password.text).to.equal('first');
    const all = await sealift.client.post('/v1/sys/reveal/secret/app/db');
    expect(all.body.data.values.big).to.deep.equal({ text: '12345678901234567890', is_text: false });
  });

  it('a caller needs the right to read the data, under the same conditions', async () => {
    const read = { capabilities: ['read'] };
    const reveal = async (token: string, body: object = {}): Promise<number> =>
      (await sealift.client.post('/v1/sys/reveal/secret/app/db', body, { token })).status;
    expect(await reveal(await tokenWith('reader', { 'secret/data/app/*': read }))).to.equal(200);
    expect(await reveal(await tokenWith('lister', { 'secret/metadata/*': read }))).to.equal(403);
    expect(await reveal(await tokenWith('everywhere', { 'sys/reveal/*': read }))).to.equal(403);
    const wrapped = { capabilities: ['read'], min_wrapping_ttl: '1m' };
    expect(await reveal(await tokenWith('wrapped', { 'secret/data/app/*': wrapped }))).to.equal(403);
    const latest = { capabilities: ['read'], denied_parameters: { version: [] } };
    const token = await tokenWith('latest', { 'secret/data/app/*': latest });
    expect(await reveal(token)).to.equal(200);
    expect(await reveal(token, { version: 1 })).to.equal(403);
  });

  it('nobody learns what there is without a right to it', async () => {
    const token = await tokenWith('nobody', { 'other/*': { capabilities: ['read'] } });
    const there = await sealift.client.post('/v1/sys/reveal/secret/app/db', {}, { token });
    const absent = await sealift.client.post('/v1/sys/reveal/nowhere/app/db', {}, { token });
    expect([there.status, absent.status]).to.deep.equal([403, 403]);
    expect((await sealift.client.post('/v1/sys/reveal/secret/app/none')).status).to.equal(404);
  });

  it('the entry of the audit trail names the keys, never a value, and a refusal leaves one too', async () => {
    await sealift.client.post('/v1/sys/reveal/secret/app/db', { keys: ['password'] });
    const token = await tokenWith('refused', { 'other/*': { capabilities: ['read'] } });
    await sealift.client.post('/v1/sys/reveal/secret/app/db', { keys: ['user'] }, { token });
    const { body, text } = await sealift.client.get(
      '/api/v2/admin/audit-events?filter[path]=sys/reveal/secret/app/db',
    );
    const [refused, shown] = body.data.map(({ attributes }: { attributes: object }) => attributes);
    expect(shown.outcome).to.equal('succeeded');
    expect(shown.detail).to.deep.equal({ keys: ['password'], version: 2 });
    expect(refused.outcome).to.equal('refused');
    expect(text).to.not.include('second');
  });
});
