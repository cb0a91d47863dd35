import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('comparing two versions of a secret', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const versions = [
      '{"user":"app","password":"first","big":12345678901234567890,"list":{"a":1,"b":2}}',
      '{"user":"app","password":"second","big":12345678901234567891,"list":{"b":2,"a":1},"port":5432}',
      '{"user":"app","constructor":"x"}',
    ];
    for (const data of versions)
      await sealift.client.post('/v1/secret/data/app/db', undefined, { raw: `{"data":${data}}` });
  });

  after(() => sealift.stop());

  const diff = (from: number, to: number, options = {}) =>
    sealift.client.get(`/v1/secret/diff/app/db?from=${from}&to=${to}`, options);

  it('each key is the same, changed, added or removed, and no value is shown', async () => {
    const answer = await diff(1, 2);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.data).to.deep.equal({
      from: 1,
      to: 2,
      keys: { big: 'changed', list: 'same', password: 'changed', port: 'added', user: 'same' },
    });
    expect(answer.text).to.not.match(/first|second|1234567890|5432/);
    const back = await diff(3, 2);
    expect(back.body.data.keys).to.deep.equal({
      big: 'added',
      constructor: 'removed',
      list: 'added',
      password: 'added',
      port: 'added',
      user: 'same',
    });
  });

  it('a version that is not there or is deleted is named', async () => {
    const absent = await diff(1, 9);
    expect([absent.status, absent.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 404 && text.includes('there is no version 9'),
    );
    await sealift.client.post('/v1/secret/delete/app/db', { versions: [1] });
    const deleted = await diff(1, 2);
    expect(deleted.status).to.equal(400);
    expect(deleted.text).to.include('version 1 is deleted');
    expect((await sealift.client.get('/v1/secret/diff/app/db?from=1')).status).to.equal(400);
  });

  it('a right of its own is needed, which gives no values', async () => {
    const { client } = sealift;
    const path = { 'secret/diff/app/*': { capabilities: ['read'] } };
    await client.post('/v1/sys/policies/acl/differ', { path });
    const made = await client.post('/v1/auth/token/create', { policies: ['differ'] });
    const token = made.body.auth.client_token;
    expect((await diff(2, 3, { token })).status).to.equal(200);
    expect((await client.get('/v1/secret/data/app/db', { token })).status).to.equal(403);
    const plain = await client.post('/v1/auth/token/create', { policies: ['default'] });
    expect((await diff(2, 3, { token: plain.body.auth.client_token })).status).to.equal(403);
  });
});
