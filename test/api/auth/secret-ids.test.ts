import { expect } from 'chai';
import { readColumns } from '../../attack/tables.ts';
import type { Sealift } from '../../support/sealift.ts';
import { done, from, makeRole, refusal, startWithMethods } from './support.ts';

const LOG_IN = '/v1/auth/approle/login';
const ROLE = '/v1/auth/approle/role';

describe('secret ids', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('approle');
  });
  after(() => sealift.stop());

  const logIn = (credentials: object) => sealift.client.post(LOG_IN, credentials, { token: null });

  it('a secret id is found by itself and by its accessor, listed, and destroyed by either', async () => {
    const { client } = sealift;
    const { secret_id, secret_id_accessor, role_id } = await makeRole(sealift);
    const path = `${ROLE}/web`;
    const found = (await client.post(`${path}/secret-id/lookup`, { secret_id })).body.data;
    expect(found).to.deep.include({
      secret_id_accessor,
      metadata: {},
      cidr_list: [],
      token_bound_cidrs: [],
      secret_id_num_uses: 0,
      secret_id_ttl: 0,
      expiration_time: '0001-01-01T00:00:00Z',
    });
    const byAccessor = await client.post(`${path}/secret-id-accessor/lookup`, { secret_id_accessor });
    expect(byAccessor.body.data).to.deep.equal(found);
    expect((await client.list(`${path}/secret-id`)).body.data.keys).to.deep.equal([secret_id_accessor]);
    await done(client.post(`${path}/secret-id/destroy`, { secret_id }));
    await done(client.post(`${path}/secret-id/destroy`, { secret_id }));
    expect((await client.post(`${path}/secret-id/lookup`, { secret_id })).status).to.equal(204);
    expect((await client.list(`${path}/secret-id`)).status).to.equal(404);
    expect(await refusal(logIn({ role_id, secret_id }))).to.deep.equal([400, 'invalid role or secret ID']);
    const other = (await client.post(`${path}/secret-id`, {})).body.data.secret_id_accessor;
    const sent = { secret_id_accessor: other };
    await done(client.call('DELETE', `${path}/secret-id-accessor/destroy`, sent));
    for (const verb of ['lookup', 'destroy'])
      expect(await refusal(client.post(`${path}/secret-id-accessor/${verb}`, sent))).to.deep.equal([
        404,
        `failed to find accessor entry for secret_id_accessor: "${other}"`,
      ]);
  });

  it('an accessor of another role or namespace finds nothing', async () => {
    const { client } = sealift;
    const { secret_id_accessor } = await makeRole(sealift, {}, { name: 'mine' });
    await makeRole(sealift, {}, { name: 'yours' });
    await done(client.post('/v1/sys/namespaces/other'));
    await done(client.post('/v1/sys/auth/approle', { type: 'approle' }, { namespace: 'other' }));
    await makeRole(sealift, {}, { name: 'mine', namespace: 'other' });
    for (const [name, namespace] of [
      ['yours', ''],
      ['mine', 'other'],
    ] as const)
      for (const verb of ['lookup', 'destroy']) {
        const path = `${ROLE}/${name}/secret-id-accessor/${verb}`;
        expect((await client.post(path, { secret_id_accessor }, { namespace })).status).to.equal(404);
      }
    const own = await client.post(`${ROLE}/mine/secret-id-accessor/lookup`, { secret_id_accessor });
    expect(own.status).to.equal(200);
  });

  it('a secret id of another role does not log in', async () => {
    const one = await makeRole(sealift, {}, { name: 'one' });
    const two = await makeRole(sealift, {}, { name: 'two' });
    const mixed = { role_id: one.role_id, secret_id: two.secret_id };
    expect(await refusal(logIn(mixed))).to.deep.equal([400, 'invalid role or secret ID']);
    await done(logIn(two));
  });

  it('a secret id lives and is used no longer than its role allows', async () => {
    const { client } = sealift;
    const limits = { secret_id_ttl: '1h', secret_id_num_uses: 5 };
    await makeRole(sealift, limits, { name: 'limited' });
    const path = `${ROLE}/limited/secret-id`;
    expect((await client.post(path, {})).body.data).to.include({
      secret_id_ttl: 3600,
      secret_id_num_uses: 5,
    });
    expect((await client.post(path, { ttl: '10m', num_uses: 2 })).body.data).to.include({
      secret_id_ttl: 600,
      secret_id_num_uses: 2,
    });
    for (const body of [{ ttl: '2h' }, { ttl: 0 }])
      expect((await refusal(client.post(path, body)))[1]).to.include("the role's secret_id_ttl");
    for (const body of [{ num_uses: 6 }, { num_uses: 0 }])
      expect((await refusal(client.post(path, body)))[1]).to.include("the role's secret_id_num_uses");
    const { secret_id, secret_id_accessor } = (await client.post(path, {})).body.data;
    const past = new Date(Date.now() - 1000);
    await sealift.context
      .db('secret_ids')
      .where({ accessor: secret_id_accessor })
      .update({ expires_at: past });
    const { role_id } = (await client.get(`${ROLE}/limited/role-id`)).body.data;
    expect((await logIn({ role_id, secret_id })).status).to.equal(400);
    expect((await client.post(`${path}/lookup`, { secret_id })).status).to.equal(204);
  });

  it('a tidy deletes what has ended at its auth method, and nothing else', async () => {
    const { client, context } = sealift;
    await done(client.post('/v1/sys/auth/elsewhere', { type: 'approle' }));
    await done(client.post('/v1/auth/elsewhere/role/web', {}));
    const foreign = (await client.post('/v1/auth/elsewhere/role/web/secret-id', {})).body.data;
    const role = await makeRole(sealift, { secret_id_num_uses: 1 }, { name: 'tidied' });
    const make = async () => (await done(client.post(`${ROLE}/tidied/secret-id`, {}))).body.data;
    const [expired, live] = [await make(), await make()];
    await done(logIn(role));
    const past = { expires_at: new Date(Date.now() - 1000) };
    const ended = [expired, foreign].map((one) => one.secret_id_accessor as string);
    await context.db('secret_ids').whereIn('accessor', ended).update(past);
    const answer = await client.post('/v1/auth/approle/tidy/secret-id', {});
    expect([answer.status, answer.body.data]).to.deep.equal([202, null]);
    expect(answer.body.warnings.join()).to.include('Tidy operation successfully started.');
    const left: string[] = await context.db('secret_ids').pluck('accessor');
    expect(left).to.include.members([live.secret_id_accessor, foreign.secret_id_accessor]);
    expect(left).to.not.include(expired.secret_id_accessor);
    expect(left).to.not.include(role.secret_id_accessor);
    const policy = 'path "auth/approle/tidy/secret-id" { capabilities = ["read"] }';
    await done(client.post('/v1/sys/policies/acl/no-tidy', { policy }));
    const reader = await done(client.post('/v1/auth/token/create', { policies: ['no-tidy'] }));
    const options = { token: reader.body.auth.client_token };
    expect((await client.post('/v1/auth/approle/tidy/secret-id', {}, options)).status).to.equal(403);
  });

  it('a secret id with seven uses lets seven of fifty log-ins in that come at once', async () => {
    const credentials = await makeRole(sealift, { secret_id_num_uses: 7 }, { name: 'counted' });
    const call = () => sealift.client.post(LOG_IN, credentials, from('10.77.0.1'));
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(7);
    const tokens = await sealift.context.db('tokens').where({ role: 'counted' });
    expect(tokens).to.have.length(7);
  });

  it('a secret id that somebody chose logs in, and is taken once', async () => {
    const { client } = sealift;
    const { role_id } = await makeRole(sealift, {}, { name: 'custom' });
    const path = `${ROLE}/custom/custom-secret-id`;
    expect(await refusal(client.post(path, {}))).to.deep.equal([400, 'missing secret_id']);
    const secret_id = 'chosen-by-a-person-4711';
    expect((await done(client.post(path, { secret_id }))).body.data.secret_id).to.equal(secret_id);
    expect((await client.post(path, { secret_id })).status).to.equal(400);
    await done(logIn({ role_id, secret_id }));
  });

  it('metadata is an object of texts or the JSON of one', async () => {
    const { client } = sealift;
    await makeRole(sealift, {}, { name: 'described' });
    const path = `${ROLE}/described/secret-id`;
    for (const metadata of [{ a: 'b' }, '{"a":"b"}', '', {}]) await done(client.post(path, { metadata }));
    for (const metadata of ['text', '[1]', { a: 1 }, { a: { b: 'c' } }, { a: 'x'.repeat(513) }])
      expect((await client.post(path, { metadata })).status, JSON.stringify(metadata)).to.equal(400);
  });

  it('a secret id may be bound more closely than its role, and not less', async () => {
    const { client } = sealift;
    const bounds = { secret_id_bound_cidrs: '10.0.0.0/8,2001:db8::1', token_bound_cidrs: '10.1.0.0/16' };
    await makeRole(sealift, bounds, { name: 'bound' });
    const path = `${ROLE}/bound/secret-id`;
    await done(
      client.post(path, { cidr_list: '10.2.0.0/16,10.3.0.1,2001:db8::1', token_bound_cidrs: '10.1.2.0/24' }),
    );
    for (const body of [
      { cidr_list: '10.0.0.0/7' },
      { cidr_list: '192.0.2.1' },
      { cidr_list: '2001:db8::/64' },
      { token_bound_cidrs: '10.2.0.0/16' },
    ])
      expect((await refusal(client.post(path, body)))[1], JSON.stringify(body)).to.include('must lie within');
  });

  it('no secret id is stored as it is', async () => {
    const { secret_id } = await makeRole(sealift, {}, { name: 'stored' });
    for await (const { place, bytes } of readColumns(sealift.context.db))
      expect(bytes.includes(secret_id), place).to.equal(false);
  });
});
