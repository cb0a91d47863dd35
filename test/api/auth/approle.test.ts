import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, makeRole, refusal, startWithMethods } from './support.ts';

const LOG_IN = '/v1/auth/approle/login';
const ROLE = '/v1/auth/approle/role';

describe('AppRole', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('approle');
    await done(sealift.client.post('/v1/secret/data/app', { data: { a: '1' } }));
  });
  after(() => sealift.stop());

  const lookUp = async (token: string) =>
    (await sealift.client.get('/v1/auth/token/lookup-self', { token })).body.data;

  it('a role is written in part, read in the names of today, listed and deleted', async () => {
    const { client } = sealift;
    await done(
      client.post(`${ROLE}/first`, { policies: 'B,a', ttl: '10m', max_ttl: '1h', token_type: 'default' }),
    );
    await done(client.call('PUT', `${ROLE}/first`, { secret_id_ttl: '1h', secret_id_num_uses: '3' }));
    expect((await client.get(`${ROLE}/first`)).body.data).to.deep.equal({
      bind_secret_id: true,
      local_secret_ids: false,
      secret_id_bound_cidrs: [],
      secret_id_num_uses: 3,
      secret_id_ttl: 3600,
      token_policies: ['a', 'b'],
      token_ttl: 600,
      token_max_ttl: 3600,
      token_explicit_max_ttl: 0,
      token_no_default_policy: false,
      token_bound_cidrs: [],
      alias_metadata: {},
      token_period: 0,
      token_num_uses: 0,
      token_type: 'default',
    });
    expect((await client.list(ROLE)).body.data.keys).to.deep.equal(['first']);
    await done(client.post(`${ROLE}/first/role-id`, { role_id: 'chosen' }));
    await done(client.post(`${ROLE}/first`, { token_ttl: 0 }));
    expect((await client.get(`${ROLE}/first/role-id`)).body.data.role_id).to.equal('chosen');
    const [status, text] = await refusal(client.post(`${ROLE}/second`, { role_id: 'chosen' }));
    expect([status, text]).to.deep.equal([400, 'the role_id belongs to another role']);
    await done(client.delete(`${ROLE}/first`));
    expect((await client.get(`${ROLE}/first`)).status).to.equal(404);
    expect((await client.list(ROLE)).status).to.equal(404);
  });

  it('whether secret ids are local is kept as it was chosen when the role was made', async () => {
    const { client } = sealift;
    await done(client.post(`${ROLE}/local`, { local_secret_ids: true, alias_metadata: '{"a":"b"}' }));
    await done(client.post(`${ROLE}/local`, { local_secret_ids: true, token_ttl: 60 }));
    const [status, text] = await refusal(client.post(`${ROLE}/local`, { local_secret_ids: false }));
    expect([status, text]).to.deep.equal([400, 'local_secret_ids can only be modified during role creation']);
    const { data } = (await client.get(`${ROLE}/local`)).body;
    expect(data).to.deep.include({ local_secret_ids: true, alias_metadata: { a: 'b' }, token_ttl: 60 });
    await done(client.delete(`${ROLE}/local`));
  });

  it('a rule that no role has is refused, and says why', async () => {
    const { client } = sealift;
    for (const [role, text] of [
      [{ token_period: '1h' }, 'leave token_period out'],
      [{ token_num_uses: 3 }, 'leave token_num_uses out'],
      [{ token_type: 'batch' }, '"batch" is not supported'],
      [{ token_policies: 'ROOT' }, 'auth methods cannot create root tokens'],
      [{ token_ttl: '2h', token_max_ttl: '1h' }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
      [{ token_bound_cidrs: '10.0.0.0/33' }, 'neither an address nor a range'],
      [{ bind_secret_id: false }, 'at least one constraint should be enabled on the role'],
      [{ secret_id_ttl: 'soon' }, 'secret_id_ttl must be seconds'],
      [{ alias_metadata: { a: 1 } }, 'alias_metadata must be an object whose values are texts'],
    ] as [object, string][]) {
      const [status, said] = await refusal(client.post(`${ROLE}/refused`, role));
      expect([status, said.includes(text)], said).to.deep.equal([400, true]);
    }
    expect((await refusal(client.post(`${ROLE}/-a`, {})))[1]).to.include('invalid role name "-a"');
    await done(
      client.post(`${ROLE}/empty`, { token_period: 0, token_num_uses: 0, period: '', token_type: '' }),
    );
  });

  it('a log-in gives an orphan token of the role that reads what its policies allow', async () => {
    const { client } = sealift;
    const { role_id } = await makeRole(sealift, { token_ttl: '20m' });
    const metadata = JSON.stringify({ host: 'web-1', role_name: 'other' });
    const made = (await done(client.post(`${ROLE}/web/secret-id`, { metadata }))).body.data;
    const { auth } = (
      await done(client.post(LOG_IN, { role_id, secret_id: made.secret_id }, { token: null }))
    ).body;
    expect(auth).to.deep.include({
      policies: ['app', 'default'],
      token_policies: ['app', 'default'],
      metadata: { host: 'web-1', role_name: 'web' },
      lease_duration: 1200,
      renewable: true,
      orphan: true,
      token_type: 'service',
      num_uses: 0,
    });
    expect(await lookUp(auth.client_token)).to.deep.include({
      path: 'auth/approle/login',
      display_name: 'approle-web',
      orphan: true,
      meta: { host: 'web-1', role_name: 'web' },
    });
    const read = await client.get('/v1/secret/data/app', { token: auth.client_token });
    expect(read.body.data.data).to.deep.equal({ a: '1' });
  });

  it('a token is renewed up to the limit of its role, and not once the role is gone', async () => {
    const { client } = sealift;
    const credentials = await makeRole(
      sealift,
      { token_ttl: '10m', token_max_ttl: '30m' },
      { name: 'renewed' },
    );
    const { auth } = (await done(client.post(LOG_IN, credentials, { token: null }))).body;
    const token = auth.client_token;
    const renew = (body: object) => client.post('/v1/auth/token/renew-self', body, { token });
    expect((await done(renew({ increment: '20m' }))).body.auth.lease_duration).to.equal(1200);
    expect((await done(renew({ increment: '5h' }))).body.auth.lease_duration).to.be.within(1790, 1800);
    await done(client.post(`${ROLE}/renewed`, { token_ttl: '7m' }));
    expect((await done(renew({}))).body.auth.lease_duration).to.equal(420);
    await done(client.delete(`${ROLE}/renewed`));
    expect(await refusal(renew({}))).to.deep.equal([400, 'role "renewed" does not exist during renewal']);
    await makeRole(sealift, {}, { name: 'renewed' });
    await done(renew({}));
  });

  it('policies that the writer lacks need sudo, whichever field is written', async () => {
    const { client } = sealift;
    const rules = (capabilities: string) => ({
      policy: `path "auth/approle/role/*" { capabilities = [${capabilities}] }`,
    });
    await done(client.post('/v1/sys/policies/acl/writer', rules('"create", "update"')));
    const made = await client.post('/v1/auth/token/create', { policies: ['writer'] });
    const token = made.body.auth.client_token;
    await done(client.post(`${ROLE}/own`, { token_policies: 'writer,default' }, { token }));
    const [status, text] = await refusal(client.post(`${ROLE}/more`, { token_policies: 'app' }, { token }));
    expect([status, text]).to.deep.equal([
      400,
      'root or sudo privileges required for policies that you lack: app',
    ]);
    await done(client.post(`${ROLE}/others`, { token_policies: 'app' }));
    expect(
      (await client.post(`${ROLE}/others`, { token_bound_cidrs: '10.0.0.0/8' }, { token })).status,
    ).to.equal(400);
    await done(client.post('/v1/sys/policies/acl/writer', rules('"create", "update", "sudo"')));
    await done(client.post(`${ROLE}/more`, { token_policies: 'app' }, { token }));
  });

  it('a token that was made in a browser session lets nobody in', async () => {
    const { client, context } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'] });
    const { client_token: token, accessor } = made.body.auth;
    await context.db('tokens').where({ accessor }).update({ reads_values: false });
    for (const path of ['session', 'web/role-id', 'web/secret-id', 'web/custom-secret-id']) {
      const body = { role_id: 'x', secret_id: 'x' };
      const [status, text] = await refusal(client.post(`${ROLE}/${path}`, body, { token }));
      expect([status, text.includes('browser session')], path).to.deep.equal([403, true]);
    }
  });

  it('a log-in and a new secret id can be wrapped', async () => {
    const { client } = sealift;
    const { role_id } = await makeRole(sealift, {}, { name: 'wrapped' });
    const wraps = { headers: { 'x-vault-wrap-ttl': '60' } };
    const unwrap = async (token: string) =>
      (await done(client.post('/v1/sys/wrapping/unwrap', { token }, { token: null }))).body;
    const made = (await done(client.post(`${ROLE}/wrapped/secret-id`, {}, wraps))).body;
    expect(made.data).to.equal(null);
    const { secret_id, secret_id_accessor } = (await unwrap(made.wrap_info.token)).data;
    expect(made.wrap_info.wrapped_accessor).to.equal(secret_id_accessor);
    const { body } = await done(client.post(LOG_IN, { role_id, secret_id }, { ...wraps, token: null }));
    expect(body.auth).to.equal(null);
    expect(body.wrap_info.creation_path).to.equal('auth/approle/login');
    const { auth } = await unwrap(body.wrap_info.token);
    expect(auth.accessor).to.equal(body.wrap_info.wrapped_accessor);
    expect((await lookUp(auth.client_token)).display_name).to.equal('approle-wrapped');
  });

  it('a role called login is a role', async () => {
    const { client } = sealift;
    await done(client.post(`${ROLE}/login`, { token_policies: 'app' }));
    expect((await client.get(`${ROLE}/login`)).body.data.token_policies).to.deep.equal(['app']);
    expect((await client.post(`${ROLE}/login`, {}, { token: null })).status).to.equal(403);
  });
});
