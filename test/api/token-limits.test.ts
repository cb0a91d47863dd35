import { expect } from 'chai';
import type { Service } from '../../libs/service/run-service.ts';
import { deleteExpiredTokens } from '../../libs/store/maintenance/retention.ts';
import { startApi } from '../../services/api/start.ts';
import { createClient } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('tokens with limits', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const policy = `path "secret/*" { policy = "write" }
      path "auth/token/create" { capabilities = ["update"] }
      path "auth/token/revoke-orphan" { capabilities = ["update"] }`;
    await sealift.client.post('/v1/sys/policies/acl/worker', { policy });
  });
  after(() => sealift.stop());

  const create = (body: object, token?: string) =>
    sealift.client.post('/v1/auth/token/create', body, token === undefined ? {} : { token });
  const secretOf = async (body: object): Promise<string> => {
    const answer = await create(body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.auth.client_token;
  };
  const lookUpSelf = (token: string) => sealift.client.get('/v1/auth/token/lookup-self', { token });

  it('a token with a number of uses tells how many are left, and ends with the last', async () => {
    const answer = await create({ policies: ['worker'], num_uses: 3 });
    const { client_token: token, accessor, num_uses: uses } = answer.body.auth;
    expect(uses).to.equal(3);
    expect((await sealift.client.get('/v1/secret/data/none', { token })).status).to.equal(404);
    expect((await sealift.client.get('/v1/nowhere', { token })).status).to.equal(403);
    expect((await sealift.client.get('/v1/sys/mounts', { token })).status).to.equal(403);
    expect((await lookUpSelf(token)).body.data.num_uses).to.equal(0);
    expect((await lookUpSelf(token)).status).to.equal(403);
    expect((await sealift.client.post('/v1/auth/token/lookup-accessor', { accessor })).status).to.equal(400);
    expect((await sealift.client.list('/v1/auth/token/accessors')).body.data.keys).not.to.include(accessor);
  });

  it('a request that needs no token does not use one up', async () => {
    const token = await secretOf({ policies: ['worker'], num_uses: 1 });
    expect((await sealift.client.get('/v1/sys/health', { token })).status).to.equal(200);
    expect((await sealift.client.get('/v1/sys/seal-status', { token })).status).to.equal(200);
    expect((await lookUpSelf(token)).status).to.equal(200);
  });

  it('a number of uses holds when many requests come at once, to several replicas', async () => {
    const other = (await sealift.start('second', startApi)) as Service & { port: number };
    try {
      const second = createClient(`http://127.0.0.1:${other.port}`, sealift.token);
      const token = await secretOf({ policies: ['worker'], num_uses: 7 });
      const calls = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? sealift.client : second).get('/v1/auth/token/lookup-self', { token }),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).to.have.length(7);
      expect(statuses.filter((status) => status === 403)).to.have.length(33);
    } finally {
      await other.stop();
    }
  });

  it('a token with a number of uses makes no further tokens', async () => {
    const token = await secretOf({ policies: ['worker'], num_uses: 5 });
    const answer = await create({}, token);
    expect([answer.status, answer.body.errors]).to.deep.equal([
      400,
      ['restricted use token cannot generate child tokens'],
    ]);
  });

  it('the maintenance deletes what is used up', async () => {
    const token = await secretOf({ policies: ['worker'], num_uses: 1 });
    await lookUpSelf(token);
    const { db } = sealift.context;
    expect(await db('tokens').where({ uses_left: 0 })).not.to.deep.equal([]);
    await deleteExpiredTokens(db, { now: new Date(), limit: 100 });
    expect(await db('tokens').where({ uses_left: 0 })).to.deep.equal([]);
  });

  it('each renewal of a periodic token gives its period, whatever is asked for', async () => {
    const { client } = sealift;
    const answer = await create({ policies: ['worker'], period: '30m' });
    const { client_token: token, lease_duration: seconds } = answer.body.auth;
    expect(seconds).to.equal(1800);
    expect((await lookUpSelf(token)).body.data).to.deep.include({ period: 1800, creation_ttl: 1800 });
    const renewed = await client.post('/v1/auth/token/renew', { token, increment: '10h' });
    expect(renewed.body.auth.lease_duration).to.equal(1800);
    const limited = await create({ policies: ['worker'], period: '2h', explicit_max_ttl: '1h' });
    expect(limited.body.auth.lease_duration).to.equal(3600);
    const short = await create({ policies: ['worker'], period: '2h', ttl: '1m' });
    expect(short.body.auth.lease_duration).to.equal(60);
    const grown = await client.post('/v1/auth/token/renew', { token: short.body.auth.client_token });
    expect(grown.body.auth.lease_duration).to.equal(7200);
  });

  it('only who has sudo makes periodic tokens', async () => {
    const token = await secretOf({ policies: ['worker'] });
    const answer = await create({ period: '1h' }, token);
    expect([answer.status, answer.body.errors]).to.deep.equal([
      400,
      ['root or sudo privileges required to create periodic token'],
    ]);
  });

  it('a token is renewed by its accessor, without its secret', async () => {
    const { accessor } = (await create({ policies: ['worker'], ttl: '1m' })).body.auth;
    const answer = await sealift.client.post('/v1/auth/token/renew-accessor', { accessor, increment: '1h' });
    expect(answer.body.auth).to.include({ client_token: '', accessor, lease_duration: 3600 });
    const unknown = await sealift.client.post('/v1/auth/token/renew-accessor', { accessor: 'none' });
    expect([unknown.status, unknown.body.errors]).to.deep.equal([400, ['invalid accessor']]);
  });

  it('an answer that grants time tells all of it, and a look-up what is left for sure', async () => {
    const { auth } = (await create({ policies: ['worker'], ttl: '60s' })).body;
    expect(auth.lease_duration).to.equal(60);
    expect((await lookUpSelf(auth.client_token)).body.data.ttl).to.be.within(50, 59);
  });

  it('a token with sudo deletes on demand what is left of tokens that ended', async () => {
    const { client } = sealift;
    const used = await secretOf({ policies: ['worker'], num_uses: 1 });
    expect((await lookUpSelf(used)).status).to.equal(200);
    const worker = await secretOf({ policies: ['worker'] });
    expect((await client.post('/v1/auth/token/tidy', {}, { token: worker })).status).to.equal(403);
    const tidied = (await client.post('/v1/auth/token/tidy')).body;
    expect([tidied.data, tidied.warnings.join()]).to.deep.equal([null, tidied.warnings[0]]);
    expect(tidied.warnings[0]).to.match(/^expired and used-up tokens that were deleted: [1-9]\d*$/);
    const again = (await client.post('/v1/auth/token/tidy')).body;
    expect(again.warnings).to.deep.equal(['expired and used-up tokens that were deleted: 0']);
    expect((await lookUpSelf(worker)).status).to.equal(200);
  });

  it('children die with their parent, or live on when it is revoked alone', async () => {
    const { client } = sealift;
    const parents = [await secretOf({ policies: ['worker'] }), await secretOf({ policies: ['worker'] })];
    const children = await Promise.all(
      parents.map(async (parent) => (await create({}, parent)).body.auth.client_token),
    );
    expect((await client.post('/v1/auth/token/revoke', { token: parents[0] })).status).to.equal(204);
    const denied = await client.post(
      '/v1/auth/token/revoke-orphan',
      { token: parents[1] },
      { token: children[1] },
    );
    expect(denied.status).to.equal(403);
    expect((await client.post('/v1/auth/token/revoke-orphan', { token: parents[1] })).status).to.equal(204);
    const statuses = [];
    for (const token of [...parents, ...children]) statuses.push((await lookUpSelf(token)).status);
    expect(statuses).to.deep.equal([403, 403, 403, 200]);
    expect((await lookUpSelf(children[1])).body.data.orphan).to.equal(true);
  });

  it('a field that is not offered is refused with 400, with the reason', async () => {
    const refusals: [object, RegExp][] = [
      [{ type: 'batch' }, /only service/],
      [{ entity_alias: 'x' }, /entities/],
      [{ id: 'chosen' }, /random/],
      [{ num_uses: -1 }, /num_uses/],
      [{ bound_cidrs: ['10.0.0.0/8'] }, /role/],
      [{ role_name: 'x' }, /in the path/],
      [{ period: 'soon' }, /period/],
    ];
    for (const [body, reason] of refusals) {
      const answer = await create(body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(answer.body.errors.join(), JSON.stringify(body)).to.match(reason);
    }
  });
});
