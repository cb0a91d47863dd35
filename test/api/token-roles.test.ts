import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('token roles', () => {
  let sealift: Sealift;
  let maker: string;
  before(async () => {
    sealift = await startSealift({ environment: { TRUST_PROXY: '1' } });
    const policy = 'path "auth/token/create/*" { capabilities = ["update"] }';
    await sealift.client.post('/v1/sys/policies/acl/maker', { policy });
    maker = (await sealift.client.post('/v1/auth/token/create', { policies: ['maker'] })).body.auth
      .client_token;
  });
  after(() => sealift.stop());

  const write = async (name: string, role: object): Promise<void> => {
    const answer = await sealift.client.post(`/v1/auth/token/roles/${name}`, role);
    expect(answer.status, answer.text).to.equal(204);
  };
  const read = (name: string) => sealift.client.get(`/v1/auth/token/roles/${name}`);
  const make = (role: string, body: object = {}) =>
    sealift.client.post(`/v1/auth/token/create/${role}`, body, { token: maker });
  const lookUp = async (token: string) =>
    (await sealift.client.post('/v1/auth/token/lookup', { token })).body.data;

  it('a role is written, listed, read, changed in part and deleted', async () => {
    const { client } = sealift;
    expect((await client.list('/v1/auth/token/roles')).status).to.equal(404);
    await write('first', { allowed_policies: 'B,a', token_period: '1h', bound_cidrs: ['10.0.0.0/8'] });
    expect((await client.list('/v1/auth/token/roles')).body.data.keys).to.deep.equal(['first']);
    expect((await read('first')).body.data).to.deep.equal({
      name: 'first',
      allowed_policies: ['a', 'b'],
      allowed_policies_glob: [],
      disallowed_policies: [],
      disallowed_policies_glob: [],
      allowed_entity_aliases: [],
      orphan: false,
      renewable: true,
      path_suffix: '',
      token_explicit_max_ttl: 0,
      explicit_max_ttl: 0,
      token_period: 3600,
      period: 3600,
      token_bound_cidrs: ['10.0.0.0/8'],
      token_no_default_policy: false,
      token_num_uses: 0,
      token_type: 'default-service',
    });
    await write('first', { period: 0, orphan: 'true', token_type: 'service', path_suffix: 'x' });
    await write('first', { path_suffix: '' });
    expect((await read('first')).body.data).to.deep.include({
      allowed_policies: ['a', 'b'],
      token_period: 0,
      orphan: true,
      token_type: 'service',
      path_suffix: '',
    });
    expect((await client.delete('/v1/auth/token/roles/first')).status).to.equal(204);
    expect((await read('first')).status).to.equal(404);
    const made = await make('first');
    expect([made.status, made.body.errors]).to.deep.equal([400, ['unknown role "first"']]);
  });

  it('a token is made as the role says, and tells so of itself', async () => {
    await write('full', {
      allowed_policies: ['app'],
      orphan: true,
      renewable: false,
      path_suffix: 'ci',
      token_explicit_max_ttl: '2h',
      token_period: '1h',
      token_num_uses: 9,
    });
    const { auth } = (await make('full', { ttl: '5h', num_uses: 20, explicit_max_ttl: '9h' })).body;
    expect(auth).to.deep.include({
      policies: ['app', 'default'],
      orphan: true,
      renewable: false,
      num_uses: 9,
      lease_duration: 7200,
    });
    expect(await lookUp(auth.client_token)).to.deep.include({
      role: 'full',
      path: 'auth/token/create/full/ci',
      period: 3600,
      explicit_max_ttl: 7200,
    });
    const lower = (await make('full', { num_uses: 2, explicit_max_ttl: '1m' })).body.auth;
    expect(lower).to.include({ num_uses: 2, lease_duration: 60 });
    const root = await sealift.client.post('/v1/auth/token/create/full', { period: '10m' });
    expect(root.body.auth.lease_duration).to.equal(600);
  });

  it('the policies that a role allows count instead of those of the caller', async () => {
    await write('some', {
      allowed_policies: ['one', 'two'],
      allowed_policies_glob: ['app-*-read', '*x'],
      disallowed_policies: ['two'],
      disallowed_policies_glob: ['app-secret-*'],
    });
    const outcomes: unknown[] = [];
    for (const policies of [
      ['one'],
      ['app-web-read', 'default'],
      ['ONE', 'zx'],
      ['maker'],
      ['two'],
      ['app-secret-read'],
      ['app-read'],
      [],
    ]) {
      const answer = await make('some', { policies });
      outcomes.push(answer.status === 200 ? answer.body.auth.policies.join() : answer.status);
    }
    expect(outcomes).to.deep.equal([
      'default,one',
      'app-web-read,default',
      'default,one,zx',
      400,
      400,
      400,
      400,
      400,
    ]);
    await write('all', { allowed_policies_glob: ['*'], allowed_policies: ['root'] });
    expect((await make('all', { policies: ['root'] })).status).to.equal(400);
    expect((await make('all')).status).to.equal(400);
  });

  it('a role that allows none in particular leaves the rule of the caller', async () => {
    await write('plain', { disallowed_policies: ['default'] });
    expect((await make('plain')).status).to.equal(400);
    expect((await make('plain', { policies: ['maker'] })).body.auth.policies).to.deep.equal(['maker']);
    expect((await make('plain', { policies: ['other'] })).status).to.equal(400);
    await write('bare', { token_no_default_policy: true, allowed_policies: ['one'] });
    expect((await make('bare')).body.auth.policies).to.deep.equal(['one']);
  });

  it('a bound token is good from its addresses only, and so are those made with it', async () => {
    await write('bound', {
      allowed_policies: ['maker'],
      token_bound_cidrs: ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'],
    });
    await write('open', { allowed_policies: ['maker'] });
    const token = (await make('bound')).body.auth.client_token;
    expect((await lookUp(token)).bound_cidrs).to.deep.equal(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32']);
    const from = async (address: string, secret = token): Promise<number> => {
      const headers = { 'x-forwarded-for': address };
      return (await sealift.client.get('/v1/auth/token/lookup-self', { token: secret, headers })).status;
    };
    const answers = [];
    for (const address of ['10.1.2.3', '192.0.2.7', '::ffff:10.1.2.3', '2001:db8::1'])
      answers.push(await from(address));
    for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '127.0.0.1'])
      answers.push(await from(address));
    expect(answers).to.deep.equal([200, 200, 200, 200, 403, 403, 403, 403]);
    const headers = { 'x-forwarded-for': '10.1.2.3' };
    const child = await sealift.client.post('/v1/auth/token/create/open', {}, { token, headers });
    expect(await from('10.1.9.9', child.body.auth.client_token)).to.equal(200);
    expect(await from('10.2.0.1', child.body.auth.client_token)).to.equal(403);
  });

  it('a setting that cannot be kept is refused with 400, and nothing is changed', async () => {
    const refusals: [object, RegExp][] = [
      [{ token_type: 'batch' }, /only service/],
      [{ token_type: 'default-batch' }, /only service/],
      [{ allowed_entity_aliases: ['x'] }, /entities/],
      [{ token_bound_cidrs: ['10.0.0.0/33'] }, /10\.0\.0\.0\/33/],
      [{ token_bound_cidrs: 'here' }, /here/],
      [{ token_num_uses: -1 }, /token_num_uses/],
      [{ token_period: 'soon' }, /token_period/],
      [{ path_suffix: 'a/b' }, /path_suffix/],
      [{ token_ttl: '1h' }, /token_ttl/],
      [{ token_max_ttl: '1h' }, /token_max_ttl/],
      [{ token_policies: ['x'] }, /allowed_policies/],
    ];
    for (const [role, reason] of refusals) {
      const answer = await sealift.client.post('/v1/auth/token/roles/refused', role);
      expect(answer.status, JSON.stringify(role)).to.equal(400);
      expect(answer.body.errors.join(), JSON.stringify(role)).to.match(reason);
    }
    expect((await sealift.client.post('/v1/auth/token/roles/a%20b', {})).status).to.equal(400);
    expect((await read('refused')).status).to.equal(404);
  });

  it('a role belongs to its namespace, which is not empty while it has one', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/team');
    await client.post('/v1/auth/token/roles/own', {}, { namespace: 'team' });
    expect((await read('own')).status).to.equal(404);
    const refused = await client.delete('/v1/sys/namespaces/team');
    expect(refused.status).to.equal(400);
    expect(refused.text).to.contain('1 token role');
    await client.call('DELETE', '/v1/auth/token/roles/own', undefined, { namespace: 'team' });
    expect((await client.delete('/v1/sys/namespaces/team')).status).to.equal(204);
  });
});
