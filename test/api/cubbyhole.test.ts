import { expect } from 'chai';
import { LIMITS } from '../../services/api/limits.ts';
import type { CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('the cubbyhole of a token', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  async function makeToken(body: object = {}, options: CallOptions = {}): Promise<CallOptions> {
    const made = await sealift.client.post('/v1/auth/token/create', body, options);
    return { token: made.body.auth.client_token as string };
  }
  const rows = (): Promise<{ token_id: number; path: string; sealed: Buffer }[]> =>
    sealift.context.db('cubbyhole').select('*');

  it('every token writes, reads, lists and deletes values of its own by the policy `default`', async () => {
    const { client } = sealift;
    const own = await makeToken({ policies: ['default'] });
    const root = '/v1/cubbyhole';
    expect((await client.get(`${root}/a/b`, own)).status).to.equal(404);
    expect((await client.list(root, own)).body).to.deep.equal({ errors: [] });
    const value = '{"n":10000000000000000000001.50,"list":[1,null],"text":"x"}';
    const written = await client.call('PUT', `${root}/a/b`, undefined, { ...own, raw: value });
    expect(written.status, written.text).to.equal(204);
    expect((await client.post(`${root}/a`, { x: 1 }, own)).status).to.equal(204);
    await client.post(`${root}/a/c/d`, { x: 1 }, own);
    const read = await client.get(`${root}/a/b`, own);
    expect(read.text).to.contain(`"data":${value}`);
    expect((await client.post(`${root}/a`, { x: 2 }, own)).status).to.equal(204);
    expect((await client.get(`${root}/a`, own)).body.data).to.deep.equal({ x: 2 });
    expect((await client.list(root, own)).body.data.keys).to.deep.equal(['a', 'a/']);
    expect((await client.list(`${root}/a/`, own)).body.data.keys).to.deep.equal(['b', 'c/']);
    expect((await client.delete(`${root}/a/b`, own)).status).to.equal(204);
    expect((await client.delete(`${root}/a/b`, own)).status).to.equal(204);
    expect((await client.get(`${root}/a/b`, own)).status).to.equal(404);
    for (const body of [{}, undefined, [1], 'text'])
      expect((await client.post(`${root}/a`, body, own)).status, JSON.stringify(body)).to.equal(400);
    expect((await client.call('PATCH', `${root}/a`, { x: 1 }, own)).status).to.be.oneOf([405, 415]);
  });

  it('no other token sees a value: neither its parent, nor its child, nor root', async () => {
    const { client } = sealift;
    const parent = await makeToken({ policies: ['root'] });
    const own = await makeToken({}, parent);
    const child = await makeToken({}, own);
    await client.post('/v1/cubbyhole/app', { password: 'a-canary' }, own);
    for (const other of [parent, child, { token: sealift.token }]) {
      expect((await client.get('/v1/cubbyhole/app', other)).status).to.equal(404);
      expect((await client.list('/v1/cubbyhole', other)).status).to.equal(404);
      await client.delete('/v1/cubbyhole/app', other);
    }
    expect((await client.get('/v1/cubbyhole/app', own)).body.data).to.deep.equal({ password: 'a-canary' });
    const bare = await makeToken({ policies: ['none'], no_default_policy: true });
    expect((await client.get('/v1/cubbyhole/app', bare)).status).to.equal(403);
  });

  it('a value is sealed where it lies, and leaves audit entries without it', async () => {
    const { client, context } = sealift;
    const own = await makeToken({ display_name: 'keeper' });
    await client.post('/v1/cubbyhole/sealed', { password: 'a-canary-value' }, own);
    await client.get('/v1/cubbyhole/sealed', own);
    const stored = (await rows()).find(({ path }) => path === 'sealed');
    expect(stored?.sealed.toString('latin1')).to.not.include('canary');
    const events = await context.db('audit_events').where('path', 'cubbyhole/sealed').orderBy('id');
    expect(events.map(({ action }) => String(action))).to.deep.equal([
      'POST /cubbyhole/*path',
      'GET /cubbyhole/*path',
    ]);
    expect(JSON.stringify(events)).to.not.include('canary');
  });

  it('the values go with their token, when it is revoked and when it has expired', async () => {
    const { client } = sealift;
    const revoked = await makeToken();
    const expired = await makeToken({ ttl: '1h' });
    for (const own of [revoked, expired]) await client.post('/v1/cubbyhole/gone', { a: 1 }, own);
    const count = async (): Promise<number> => (await rows()).filter(({ path }) => path === 'gone').length;
    expect(await count()).to.equal(2);
    await client.post('/v1/auth/token/revoke-self', {}, revoked);
    expect(await count()).to.equal(1);
    const gone = await client.get('/v1/cubbyhole/gone', revoked);
    expect(gone.status).to.equal(403);
    await sealift.context
      .db('tokens')
      .where({ ttl_seconds: 3600 })
      .update({ expires_at: new Date(0) });
    await client.post('/v1/auth/token/tidy');
    expect(await count()).to.equal(0);
  });

  it('a token keeps no more values and bytes than the limits say', async () => {
    const { client, context } = sealift;
    const own = await makeToken();
    const { id } = await context.db('tokens').orderBy('id', 'desc').first('id');
    const filler = Array.from({ length: LIMITS.cubbyholeEntries.value - 1 }, (_, index) => ({
      token_id: id,
      path: `filler/${index}`,
      sealed: Buffer.alloc(1),
    }));
    await context.db('cubbyhole').insert(filler);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => client.post(`/v1/cubbyhole/${name}`, { a: 1 }, own)),
    );
    expect(answers.map(({ status }) => status)).to.have.members([204, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.errors).to.deep.equal([
      'values in the cubbyhole of a token: 501 are too many, at most 500 are allowed',
    ]);
    await context.db('cubbyhole').where({ token_id: id }).delete();
    const half = { text: 'x'.repeat(600_000) };
    expect((await client.post('/v1/cubbyhole/one', half, own)).status).to.equal(204);
    expect((await client.post('/v1/cubbyhole/one', half, own)).status).to.equal(204);
    const beyond = await client.post('/v1/cubbyhole/two', half, own);
    expect(beyond.status).to.equal(400);
    expect(beyond.text).to.contain(LIMITS.cubbyholeBytes.subject);
    expect((await client.get('/v1/cubbyhole/two', own)).status).to.equal(404);
    const long = await client.post(`/v1/cubbyhole/${'x'.repeat(1025)}`, { a: 1 }, own);
    expect(long.status).to.equal(400);
  });

  it('nobody makes a mount in its place, and a value of it can be wrapped', async () => {
    const { client } = sealift;
    for (const path of ['cubbyhole', 'cubbyhole/x'])
      expect((await client.post(`/v1/sys/mounts/${path}`, { type: 'kv' })).status).to.equal(400);
    const own = await makeToken();
    await client.post('/v1/cubbyhole/app', { a: 1.5 }, own);
    const headers = { 'x-vault-wrap-ttl': '60' };
    const { body } = await client.get('/v1/cubbyhole/app', { ...own, headers });
    const unwrapped = await client.post('/v1/sys/wrapping/unwrap', { token: body.wrap_info.token });
    expect(unwrapped.body.data).to.deep.equal({ a: 1.5 });
  });
});
