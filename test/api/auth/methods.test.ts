import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, makeRole, refusal, startWithMethods } from './support.ts';

describe('auth methods', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods();
  });
  after(() => sealift.stop());

  const lookUp = (token: string) => sealift.client.get('/v1/auth/token/lookup-self', { token });

  it('an auth method is enabled, listed beside token, read, tuned and disabled', async () => {
    const { client } = sealift;
    const config = { default_lease_ttl: '15m', listing_visibility: 'unauth', token_type: 'default-service' };
    await done(client.post('/v1/sys/auth/ci/eu', { type: 'approle', description: 'ours', config }));
    const list = (await client.get('/v1/sys/auth')).body;
    expect(Object.keys(list.data)).to.deep.equal(['ci/eu/', 'token/']);
    expect(list['ci/eu/']).to.deep.equal(list.data['ci/eu/']);
    expect(list.data['ci/eu/']).to.deep.include({
      type: 'approle',
      description: 'ours',
      config: {
        default_lease_ttl: 900,
        max_lease_ttl: 0,
        force_no_cache: false,
        token_type: 'default-service',
        listing_visibility: 'unauth',
      },
    });
    expect(list.data['ci/eu/'].accessor).to.match(/^auth_approle_[0-9a-f]{8}$/);
    expect((await client.get('/v1/sys/auth/ci/eu')).body.data).to.deep.equal(list.data['ci/eu/']);
    await done(
      client.post('/v1/sys/mounts/auth/ci/eu//tune', {
        max_lease_ttl: '2h',
        description: 'theirs',
        token_type: 'service',
      }),
    );
    for (const path of ['sys/auth/ci/eu/tune', 'sys/mounts/auth/ci/eu/tune'])
      expect((await client.get(`/v1/${path}`)).body.data).to.include({
        default_lease_ttl: 900,
        max_lease_ttl: 7200,
        description: 'theirs',
        token_type: 'service',
      });
    await done(client.delete('/v1/sys/auth/ci/eu'));
    await done(client.delete('/v1/sys/auth/ci/eu'));
    expect(await refusal(client.get('/v1/sys/auth/ci/eu'))).to.deep.equal([400, 'No auth engine at ci/eu/']);
    expect((await client.get('/v1/sys/auth/ci/eu/tune')).status).to.equal(400);
  });

  it('a path that is taken, reserved or would give misleading names is refused', async () => {
    const { client } = sealift;
    await done(client.post('/v1/sys/auth/taken', { type: 'approle' }));
    for (const [path, text] of [
      ['taken', 'path is already in use at taken/'],
      ['taken/below', 'path is already in use at taken/'],
      ['token', 'path is already in use at token/'],
      ['a/role/b', 'the segment role'],
      ['session', 'the segment session'],
      ['saml', 'cannot begin with saml'],
      ['saml-ana', 'cannot begin with saml'],
      ['response', 'cannot begin with response'],
      ['a%20b', 'letters, digits'],
      ['mine..', 'begins or ends with a dot'],
      ['m../x', 'begins or ends with a dot'],
      ['taken/tune', 'no auth method can be enabled at a path that ends in tune'],
    ])
      expect((await refusal(client.post(`/v1/sys/auth/${path}`, { type: 'approle' })))[1]).to.include(text);
    const [status, text] = await refusal(client.post('/v1/sys/auth/github', {}));
    expect([status, text]).to.deep.equal([
      400,
      'the auth method "github" is not supported: approle, jwt, kubernetes can be enabled',
    ]);
    for (const config of [{ default_lease_ttl: '2h', max_lease_ttl: '1h' }, { default_lease_ttl: '900h' }])
      expect((await client.post('/v1/sys/auth/wrong', { type: 'approle', config })).status).to.equal(400);
    await done(client.delete('/v1/sys/auth/taken'));
  });

  it('enabling, reading and disabling an auth method needs sudo', async () => {
    const { client } = sealift;
    const rules = 'path "sys/auth/*" { capabilities = ["create", "read", "update", "delete"] }';
    await done(client.post('/v1/sys/policies/acl/methods', { policy: rules }));
    const { auth } = (await client.post('/v1/auth/token/create', { policies: ['methods'] })).body;
    const token = auth.client_token;
    expect((await client.post('/v1/sys/auth/mine', { type: 'approle' }, { token })).status).to.equal(403);
    expect((await client.get('/v1/sys/auth/token', { token })).status).to.equal(403);
    expect((await client.delete('/v1/sys/auth/mine', { token })).status).to.equal(403);
    const more = rules.replace('"delete"', '"delete", "sudo"');
    await done(client.post('/v1/sys/policies/acl/methods', { policy: more }));
    await done(client.post('/v1/sys/auth/mine', { type: 'approle' }, { token }));
    await done(client.delete('/v1/sys/auth/mine', { token }));
  });

  it('an auth method is read without sudo where clients look, with what it was enabled with', async () => {
    const { client } = sealift;
    await done(client.post('/v1/sys/auth/kept', { type: 'approle', local: true, seal_wrap: true }));
    const rules = 'path "sys/mounts/auth/*" { capabilities = ["read"] }';
    await done(client.post('/v1/sys/policies/acl/looker', { policy: rules }));
    const { auth } = (await client.post('/v1/auth/token/create', { policies: ['looker'] })).body;
    const read = (path: string) =>
      client.get(`/v1/sys/mounts/auth/${path}`, { token: auth.client_token as string });
    const { data } = (await done(read('kept'))).body;
    expect(data).to.include({ type: 'approle', local: true, seal_wrap: true });
    expect(data).to.deep.equal((await client.get('/v1/sys/auth/kept')).body.data);
    expect((await read('token')).body.data.type).to.equal('token');
    expect(await refusal(read('none'))).to.deep.equal([400, 'No auth engine at none/']);
    expect((await client.get('/v1/sys/mounts/auth/kept', { token: null })).status).to.equal(403);
    await done(client.delete('/v1/sys/auth/kept'));
  });

  it('disabling an auth method ends its tokens, and enabling it anew brings no role back', async () => {
    const { client } = sealift;
    await done(client.post('/v1/sys/auth/approle', { type: 'approle' }));
    const credentials = await makeRole(sealift);
    const logIn = () => client.post('/v1/auth/approle/login', credentials, { token: null });
    const first = (await done(logIn())).body.auth.client_token;
    const child = await client.post('/v1/auth/token/create', { policies: ['default'] });
    expect((await lookUp(first)).status).to.equal(200);
    await done(client.delete('/v1/sys/auth/approle'));
    expect((await lookUp(first)).status).to.equal(403);
    expect((await lookUp(child.body.auth.client_token)).status).to.equal(200);
    expect(await refusal(logIn())).to.deep.equal([403, 'permission denied']);
    await done(client.post('/v1/sys/auth/approle', { type: 'approle' }));
    expect(await refusal(logIn())).to.deep.equal([400, 'invalid role or secret ID']);
    expect((await lookUp(first)).status).to.equal(403);
    expect((await client.list('/v1/auth/approle/role')).status).to.equal(404);
  });

  it('a namespace has its own auth methods, and is not deleted while it has some', async () => {
    const { client } = sealift;
    const namespace = 'team';
    await done(client.post('/v1/sys/namespaces/team'));
    await done(client.post('/v1/sys/auth/approle', { type: 'approle' }, { namespace }));
    const credentials = await makeRole(sealift, {}, { namespace });
    const byHeader = { token: null, namespace };
    const byPath = client.post('/v1/team/auth/approle/login', credentials, { token: null });
    for (const call of [client.post('/v1/auth/approle/login', credentials, byHeader), byPath]) {
      const { auth } = (await done(call)).body;
      const own = await lookUp(auth.client_token);
      expect(own.body.data).to.include({ namespace_path: 'team/', path: 'auth/approle/login' });
    }
    expect(await refusal(client.post('/v1/auth/approle/login', credentials, { token: null }))).to.deep.equal([
      400,
      'invalid role or secret ID',
    ]);
    for (const path of ['none/auth/approle/login', 'team/auth/none/login', 'auth/none/login'])
      expect(await refusal(client.post(`/v1/${path}`, credentials, { token: null })), path).to.deep.equal([
        403,
        'permission denied',
      ]);
    expect((await refusal(client.delete('/v1/sys/namespaces/team')))[1]).to.include('1 auth method');
  });

  it('the preflight shows the auth methods in which the caller has a right', async () => {
    const { client } = sealift;
    const policy = 'path "auth/approle/role/web" { capabilities = ["read"] }';
    await done(client.post('/v1/sys/policies/acl/role-reader', { policy }));
    const made = await client.post('/v1/auth/token/create', { policies: ['role-reader'] });
    const token = made.body.auth.client_token;
    const list = (await client.get('/v1/sys/internal/ui/mounts', { token })).body.data;
    expect(Object.keys(list.auth)).to.deep.equal(['approle/', 'token/']);
    const found = await client.get('/v1/sys/internal/ui/mounts/auth/approle/role/web', { token });
    expect(found.body.data).to.deep.include({ path: 'auth/approle/', type: 'approle' });
    const bare = await client.post('/v1/auth/token/create', { policies: ['default'] });
    const other = { token: bare.body.auth.client_token };
    expect((await client.get('/v1/sys/internal/ui/mounts/auth/approle', other)).status).to.equal(403);
  });

  it('a configuration that nobody has written is not found', async () => {
    const { client } = sealift;
    for (const type of ['jwt', 'kubernetes']) {
      await done(client.post(`/v1/sys/auth/new-${type}`, { type }));
      expect((await client.get(`/v1/auth/new-${type}/config`)).status, type).to.equal(404);
      await done(client.delete(`/v1/sys/auth/new-${type}`));
    }
  });
});
