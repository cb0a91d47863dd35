import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { startReplicaAhead } from '../support/replica-ahead.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('tokens', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const rules = {
      child: { 'auth/token/create': { capabilities: ['update'] } },
      reader: { 'secret/data/*': { capabilities: ['read'] } },
      maker: { 'auth/token/create': { capabilities: ['update', 'sudo'] } },
    };
    for (const [name, path] of Object.entries(rules))
      await sealift.client.post(`/v1/sys/policies/acl/${name}`, { path });
  });
  after(() => sealift.stop());

  const create = (body: object, token?: string) =>
    sealift.client.post('/v1/auth/token/create', body, token === undefined ? {} : { token });
  const secretOf = async (body: object, token?: string): Promise<string> =>
    (await create(body, token)).body.auth.client_token;
  const lookUpSelf = (token: string) => sealift.client.get('/v1/auth/token/lookup-self', { token });

  it('a token may have 500 policies, and no more', async () => {
    const named = (length: number) => Array.from({ length }, (_, index) => `p${index}`);
    const answer = await create({ policies: named(499) });
    expect(answer.status).to.equal(200);
    expect(answer.body.auth.policies).to.have.length(500);
    expect((await lookUpSelf(answer.body.auth.client_token)).status).to.equal(200);
    expect((await create({ policies: named(501) })).status).to.equal(400);
  });

  it('a token is made as asked, and tells so of itself', async () => {
    const answer = await create({
      policies: 'reader,child',
      ttl: '1h',
      display_name: 'ci job',
      meta: { team: 'a' },
      renewable: 'true',
    });
    expect(answer.status).to.equal(200);
    const { auth } = answer.body;
    expect(auth).to.deep.include({
      policies: ['child', 'default', 'reader'],
      token_policies: ['child', 'default', 'reader'],
      metadata: { team: 'a' },
      renewable: true,
      token_type: 'service',
      orphan: false,
      num_uses: 0,
      entity_id: '',
    });
    expect(auth.lease_duration).to.be.within(3590, 3600);
    expect(auth.client_token).to.have.length.greaterThan(42);
    const own = (await lookUpSelf(auth.client_token)).body.data;
    expect(own).to.deep.include({
      id: auth.client_token,
      accessor: auth.accessor,
      display_name: 'token-ci-job',
      creation_ttl: 3600,
      explicit_max_ttl: 0,
      meta: { team: 'a' },
      orphan: false,
      path: 'auth/token/create',
      type: 'service',
      num_uses: 0,
    });
    expect(own).not.to.include.keys('namespace_path');
    expect(Date.parse(own.expire_time)).to.be.greaterThan(Date.now());
  });

  it('a root token lives for ever, another one 768 hours unless told otherwise', async () => {
    expect((await lookUpSelf(sealift.token)).body.data).to.deep.include({
      policies: ['root'],
      expire_time: null,
      ttl: 0,
      path: 'auth/token/root',
    });
    expect((await create({})).body.auth).to.deep.include({ policies: ['root'], lease_duration: 0 });
    expect((await create({ policies: ['reader'] })).body.auth.lease_duration).to.be.within(
      768 * 3600 - 5,
      768 * 3600,
    );
  });

  it('only a keyed hash of a token is stored', async () => {
    const secret = await secretOf({ policies: ['reader'] });
    const rows = await sealift.context.db('tokens').select('*');
    expect(JSON.stringify(rows)).not.to.contain(secret.slice(4));
  });

  it('a child token holds no policy that its parent lacks', async () => {
    const parent = await secretOf({ policies: ['child', 'reader'] });
    expect((await create({ policies: ['reader'] }, parent)).body.auth.policies).to.deep.equal([
      'default',
      'reader',
    ]);
    expect((await create({}, parent)).body.auth.policies).to.deep.equal(['child', 'default', 'reader']);
    for (const policies of [['maker'], ['reader', 'unheard-of'], ['site-admin'], ['MAKER'], ['root']]) {
      expect((await create({ policies }, parent)).status, policies.join()).to.equal(400);
    }
    expect((await create({ no_parent: true }, parent)).status).to.equal(400);
    const reader = await secretOf({ policies: ['reader'] }, parent);
    expect((await create({ policies: ['reader'] }, reader)).status).to.equal(403);
  });

  it('a caller with sudo makes tokens with any policy but root', async () => {
    const maker = await secretOf({ policies: ['maker'] });
    const answer = await create(
      { policies: ['Reader', 'not-yet'], no_default_policy: true, no_parent: true },
      maker,
    );
    expect(answer.body.auth).to.deep.include({ policies: ['not-yet', 'reader'], orphan: true });
    expect(answer.body.warnings).to.deep.equal(['Policy "not-yet" does not exist']);
    const refused = await create({ policies: ['root'] }, maker);
    expect(refused.status).to.equal(400);
    expect((await sealift.client.post('/v1/auth/token/create-orphan', {}, { token: maker })).status).to.equal(
      403,
    );
  });

  it('a token ends with its time', async () => {
    const secret = await secretOf({ policies: ['reader'], ttl: '1s' });
    expect((await lookUpSelf(secret)).status).to.equal(200);
    await eventually(async () => (await lookUpSelf(secret)).status === 403);
  });

  it('a token ends with the token it was made with, and with that one’s', async () => {
    const { db } = sealift.context;
    const parent = (await create({ policies: ['child', 'reader'], ttl: '1h' })).body.auth;
    const child = await secretOf({ ttl: '100h' }, parent.client_token);
    const grandchild = await secretOf({ ttl: '100h' }, child);
    expect((await lookUpSelf(grandchild)).status).to.equal(200);
    await db('tokens')
      .where({ accessor: parent.accessor })
      .update({ expires_at: db.raw("now() - interval '1 second'") });
    // A change in the database, not over the API, which caches a caller for up to a second.
    for (const secret of [child, grandchild])
      await eventually(async () => (await lookUpSelf(secret)).status === 403, { limitMs: 2000 });
  });

  it('a token tells how long it lives by the clock that ends it, not by that of a replica', async () => {
    const { client: ahead, stop } = await startReplicaAhead(sealift);
    try {
      const { auth } = (await ahead.post('/v1/auth/token/create', { policies: ['default'], ttl: '1h' })).body;
      expect(auth.lease_duration).to.equal(3600);
      const own = { token: auth.client_token };
      expect((await ahead.get('/v1/auth/token/lookup-self', own)).body.data.ttl).to.be.within(3590, 3600);
      const renewed = await ahead.post('/v1/auth/token/renew-self', { increment: '30m' }, own);
      expect(renewed.body.auth.lease_duration).to.equal(1800);
    } finally {
      await stop();
    }
  });

  it('a token is renewed, but not beyond its last day', async () => {
    const created = (await create({ policies: ['default'], ttl: '10m', explicit_max_ttl: 3600 })).body.auth;
    const renew = (body: object) =>
      sealift.client.post('/v1/auth/token/renew-self', body, { token: created.client_token });
    expect((await renew({ increment: '30m' })).body.auth.lease_duration).to.be.within(1795, 1800);
    expect((await renew({ increment: '100h' })).body.auth.lease_duration).to.be.within(3590, 3600);
    expect((await renew({})).body.auth.lease_duration).to.be.within(595, 600);
    expect((await renew({ increment: 'x' })).status).to.equal(400);
    const fixed = await secretOf({ policies: ['default'], ttl: '10m', renewable: false });
    expect((await sealift.client.post('/v1/auth/token/renew-self', {}, { token: fixed })).status).to.equal(
      400,
    );
    const other = await sealift.client.post('/v1/auth/token/renew', {
      token: created.client_token,
      increment: 60,
    });
    expect(other.body.auth.lease_duration).to.be.within(55, 60);
    const limited = await create({ policies: ['default'], ttl: '2h', explicit_max_ttl: '1h' });
    expect(limited.body.auth.lease_duration).to.be.within(3590, 3600);
    expect(limited.body.warnings).to.have.length(1);
  });

  it('a token is looked up and revoked by itself, by its secret and by its accessor', async () => {
    const { client } = sealift;
    const first = (await create({ policies: ['child', 'reader'] })).body.auth;
    const below = await secretOf({}, first.client_token);
    const found = await client.post('/v1/auth/token/lookup', { token: first.client_token });
    expect(found.body.data.accessor).to.equal(first.accessor);
    const byAccessor = await client.post('/v1/auth/token/lookup-accessor', { accessor: first.accessor });
    expect(byAccessor.body.data).to.include({ accessor: first.accessor, id: '' });
    expect(
      (await client.post('/v1/auth/token/revoke-accessor', { accessor: first.accessor })).status,
    ).to.equal(204);
    expect((await lookUpSelf(first.client_token)).status).to.equal(403);
    expect((await lookUpSelf(below)).status).to.equal(403);
    const second = await secretOf({ policies: ['reader'] });
    expect((await client.post('/v1/auth/token/revoke', { token: second })).status).to.equal(204);
    expect((await client.post('/v1/auth/token/revoke', { token: second })).status).to.equal(204);
    const third = await secretOf({ policies: ['reader'] });
    expect((await client.post('/v1/auth/token/revoke-self', undefined, { token: third })).status).to.equal(
      204,
    );
    expect((await lookUpSelf(third)).status).to.equal(403);
    const unknown = await client.post('/v1/auth/token/lookup', { token: third });
    expect([unknown.status, unknown.body.errors]).to.deep.equal([403, ['bad token']]);
    expect((await client.post('/v1/auth/token/lookup-accessor', { accessor: 'x' })).status).to.equal(400);
    expect((await client.post('/v1/auth/token/lookup', {})).status).to.equal(400);
  });

  it('only sudo lists accessors, and no secret is among them', async () => {
    await sealift.client.post('/v1/sys/policies/acl/lister', {
      path: { 'auth/token/accessors/': { capabilities: ['list'] } },
    });
    await sealift.client.post('/v1/sys/policies/acl/lister-sudo', {
      path: { 'auth/token/accessors/': { capabilities: ['list', 'sudo'] } },
    });
    const answer = await sealift.client.list('/v1/auth/token/accessors');
    expect(answer.body.data.keys).to.include((await lookUpSelf(sealift.token)).body.data.accessor);
    for (const [policy, status] of [
      ['lister', 403],
      ['lister-sudo', 200],
    ] as const) {
      const token = await secretOf({ policies: [policy] });
      expect((await sealift.client.list('/v1/auth/token/accessors', { token })).status).to.equal(status);
    }
  });

  it('a namespace without tokens has none to list', async () => {
    await sealift.client.post('/v1/sys/namespaces/bare');
    const answer = await sealift.client.list('/v1/auth/token/accessors', { namespace: 'bare' });
    expect([answer.status, answer.body]).to.deep.equal([404, { errors: [] }]);
  });

  it('tokens are read a page at a time, newest first, without secrets, by sudo alone', async () => {
    const path = '/v1/auth/token/accessors';
    await sealift.client.post('/v1/sys/policies/acl/reader-only', {
      path: { 'auth/token/accessors': { capabilities: ['read'] } },
    });
    const secrets = [await secretOf({ display_name: 'older' }), await secretOf({ display_name: 'newer' })];
    const first = await sealift.client.get(`${path}?limit=1`);
    expect(first.body.data.tokens[0].display_name).to.equal('token-newer');
    const second = await sealift.client.get(`${path}?limit=1&before=${first.body.data.next_before}`);
    expect(second.body.data.tokens[0].display_name).to.equal('token-older');
    for (const secret of secrets) expect(first.text + second.text).to.not.include(secret);
    const all = await sealift.client.get(`${path}?limit=200`);
    expect(all.body.data.next_before).to.equal(null);
    const token = await secretOf({ policies: ['reader-only'] });
    expect((await sealift.client.get(path, { token })).status).to.equal(403);
  });

  it('an option that tokens do not offer is refused, not ignored', async () => {
    for (const body of [
      { type: 'batch' },
      { id: 'my-own' },
      { entity_alias: 'x' },
      { ttl: 'x' },
      { ttl: -1 },
      { meta: { a: { b: 1 } } },
      { policies: [{}] },
    ]) {
      expect((await create(body)).status, JSON.stringify(body)).to.equal(400);
    }
    const asSent = {
      display_name: '',
      num_uses: 0,
      renewable: true,
      type: 'service',
      entity_alias: '',
      ttl: '',
      period: '',
    };
    expect((await create(asSent)).status).to.equal(200);
  });

  it('a token learns what it may do with a path', async () => {
    const token = await secretOf({ policies: ['reader'] });
    const ask = (body: object, as?: string) =>
      sealift.client.post('/v1/sys/capabilities-self', body, as === undefined ? {} : { token: as });
    expect((await ask({ paths: ['secret/data/a', 'sys/mounts'] }, token)).body.data).to.deep.equal({
      'secret/data/a': ['read'],
      'sys/mounts': ['deny'],
    });
    expect((await ask({ path: 'secret/data/a' }, token)).body.data.capabilities).to.deep.equal(['read']);
    expect((await ask({ paths: ['a\ud800'] }, token)).status).to.equal(400);
    expect((await ask({ paths: [] }, token)).status).to.equal(400);
    expect((await ask({ paths: 'secret/data/a' })).body.data.capabilities).to.deep.equal(['root']);
  });
});
