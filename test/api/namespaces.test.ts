import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('namespaces', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    for (const path of ['team', 'team/sub', 'other']) await sealift.client.post(`/v1/sys/namespaces/${path}`);
    for (const namespace of ['team', 'team/sub', 'other']) {
      await sealift.client.post('/v1/sys/mounts/kv', { type: 'kv-v2' }, { namespace });
      await sealift.client.post('/v1/kv/data/x', { data: { namespace } }, { namespace });
    }
  });
  after(() => sealift.stop());

  const tokenIn = async (namespace: string, policies = ['root']): Promise<string> =>
    (await sealift.client.post('/v1/auth/token/create', { policies }, { namespace })).body.auth.client_token;

  it('namespaces are made, read and listed one level at a time', async () => {
    const { client } = sealift;
    const made = await client.post('/v1/sys/namespaces/made');
    expect(made.body.data).to.include({ path: 'made/' });
    expect((await client.post('/v1/sys/namespaces/made')).body.data).to.deep.equal(made.body.data);
    expect((await client.get('/v1/sys/namespaces/made')).body.data).to.deep.equal(made.body.data);
    expect((await client.list('/v1/sys/namespaces')).body.data.keys).to.deep.equal([
      'made/',
      'other/',
      'team/',
    ]);
    const below = await client.list('/v1/sys/namespaces', { namespace: 'team' });
    expect(below.body.data.keys).to.deep.equal(['sub/']);
    expect(below.body.data.key_info['sub/'].path).to.equal('team/sub/');
    expect((await client.list('/v1/sys/namespaces', { namespace: 'other' })).status).to.equal(404);
    expect(
      (await client.post('/v1/sys/namespaces/inner', undefined, { namespace: 'made' })).body.data.path,
    ).to.equal('made/inner/');
  });

  it('no namespace is made with a name that stands for something else, in whatever letters', async () => {
    const { client } = sealift;
    for (const name of ['root', 'Root', 'ROOT', 'Cubbyhole', 'AUDIT']) {
      const { status, body } = await client.post(`/v1/sys/namespaces/team/${name}`);
      expect([status, body.errors]).to.deep.equal([400, [`the name ${name} is reserved`]]);
    }
  });

  it('a token of a namespace looks itself up, renews and ends itself without naming it', async () => {
    const { client } = sealift;
    const made = await client.post(
      '/v1/auth/token/create',
      { policies: ['default'], ttl: '1h' },
      { namespace: 'team/sub' },
    );
    const token = made.body.auth.client_token;
    const own = await client.get('/v1/auth/token/lookup-self', { token });
    expect(own.body.data).to.include({ id: token, namespace_path: 'team/sub/' });
    expect((await client.post('/v1/auth/token/renew-self', {}, { token })).status).to.equal(200);
    expect((await client.get('/v1/auth/token/lookup-self', { token, namespace: 'other' })).status).to.equal(
      403,
    );
    expect((await client.post('/v1/sys/capabilities-self', { path: 'x' }, { token })).status).to.equal(403);
    expect((await client.post('/v1/auth/token/revoke-self', {}, { token })).status).to.equal(204);
    expect((await client.get('/v1/auth/token/lookup-self', { token })).status).to.equal(403);
  });

  it('a namespace keeps what is noted about it, and a patch merges', async () => {
    const { client } = sealift;
    const path = '/v1/sys/namespaces/noted';
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    const made = await client.post(path, { custom_metadata: { owner: 'team', cost: '1' } });
    expect(made.body.data.custom_metadata).to.deep.equal({ owner: 'team', cost: '1' });
    const patched = await client.patch(path, { custom_metadata: { cost: null, tier: 'a' } }, merge);
    expect(patched.body.data.custom_metadata).to.deep.equal({ owner: 'team', tier: 'a' });
    await client.post(path);
    expect((await client.get(path)).body.data.custom_metadata).to.deep.equal({ owner: 'team', tier: 'a' });
    expect((await client.list('/v1/sys/namespaces')).body.data.key_info['noted/']).to.deep.include({
      custom_metadata: { owner: 'team', tier: 'a' },
    });
    await client.post(path, { custom_metadata: 'owner=other' });
    expect((await client.get(path)).body.data.custom_metadata).to.deep.equal({ owner: 'other' });
    expect(
      (await client.patch(path, { custom_metadata: null }, merge)).body.data.custom_metadata,
    ).to.deep.equal({});
    const tooLong = await client.post(path, { custom_metadata: { a: 'x'.repeat(513) } });
    expect(tooLong.status).to.equal(400);
    expect((await client.patch('/v1/sys/namespaces/absent', {}, merge)).status).to.equal(404);
    await client.delete(path);
  });

  it('a namespace holds its own mounts and secrets, under either header', async () => {
    for (const [header, value] of [
      ['x-namespace', 'team'],
      ['x-vault-namespace', 'team/'],
      ['x-vault-namespace', '/team/sub'],
    ] as const) {
      const answer = await sealift.client.get('/v1/kv/data/x', { headers: { [header]: value } });
      expect(answer.body.data.data).to.deep.equal({ namespace: value.replaceAll(/^\/|\/$/g, '') });
    }
    expect((await sealift.client.get('/v1/kv/data/x')).status).to.equal(404);
    expect((await sealift.client.get('/v1/secret/data/x', { namespace: 'team' })).status).to.equal(404);
  });

  it('a path names a namespace as well, from the one that a header names', async () => {
    const { client } = sealift;
    const read = async (path: string, namespace?: string) =>
      (await client.get(path, namespace === undefined ? {} : { namespace })).body.data?.data?.namespace;
    expect(await read('/v1/team/kv/data/x')).to.equal('team');
    expect(await read('/v1/team/sub/kv/data/x')).to.equal('team/sub');
    expect(await read('/v1/sub/kv/data/x', 'team')).to.equal('team/sub');
    expect(await read('/v1/sub/kv/data/x')).to.equal(undefined);
    const self = await client.get('/v1/team/auth/token/lookup-self', { token: await tokenIn('team') });
    expect(self.body.data.namespace_path).to.equal('team/');
    const rules = { policy: JSON.stringify({ path: { 'kv/*': { capabilities: ['read'] } } }) };
    expect((await client.post('/v1/team/sys/policies/acl/reader', rules)).status).to.equal(204);
    expect((await client.get('/v1/sys/policies/acl/reader')).status).to.equal(404);
    expect((await client.get('/v1/sys/policies/acl/reader', { namespace: 'team' })).status).to.equal(200);
  });

  it('a namespace before a path is found by what clients ask before they use one', async () => {
    const ask = async (path: string, token = sealift.token) =>
      (await sealift.client.get(`/v1/sys/internal/ui/mounts/${path}`, { token })).body.data?.path;
    expect(await ask('team/sub/kv/x')).to.equal('team/sub/kv/');
    expect(await ask('team/kv')).to.equal('team/kv/');
    expect(await ask('team/nothing/x')).to.equal(undefined);
    expect(await ask('team/kv/x', await tokenIn('other'))).to.equal(undefined);
  });

  it('a namespace before a path opens no more than the header would, and stays unknown to others', async () => {
    const { client } = sealift;
    const token = await tokenIn('other');
    for (const path of ['team/kv/data/x', 'team/sys/mounts', 'nowhere/kv/data/x', 'nowhere/sys/mounts']) {
      const answer = await client.get(`/v1/${path}`, { token });
      expect([answer.status, answer.body.errors], path).to.deep.equal([403, ['permission denied']]);
    }
    expect((await client.get('/v1/team/api/v2/admin/general-settings')).status).to.be.oneOf([403, 404]);
    expect((await client.patch('/v1/team/sys/sync/config', { disabled: true })).status).to.equal(403);
  });

  it('a token works in its own namespace and those below, and nowhere else', async () => {
    const token = await tokenIn('team');
    const read = async (namespace?: string) =>
      (
        await sealift.client.get('/v1/kv/data/x', {
          token,
          ...(namespace === undefined ? {} : { namespace }),
        })
      ).status;
    expect([await read('team'), await read('team/sub')]).to.deep.equal([200, 200]);
    expect([await read(), await read('root'), await read('other'), await read('nowhere')]).to.deep.equal([
      403, 403, 403, 403,
    ]);
    const own = await sealift.client.get('/v1/auth/token/lookup-self', { token, namespace: 'team' });
    expect(own.body.data.namespace_path).to.equal('team/');
  });

  it('a missing namespace answers as one that may not be seen', async () => {
    const token = await tokenIn('team');
    for (const path of [
      '/v1/sys/internal/ui/mounts',
      '/v1/sys/mounts',
      '/v1/kv/data/x',
      '/v1/auth/token/lookup-self',
    ]) {
      const answers = await Promise.all(
        ['other', 'nowhere', 'team/nowhere'].map((namespace) =>
          sealift.client.get(path, { token, namespace }),
        ),
      );
      for (const answer of answers) {
        expect([answer.status, answer.body]).to.deep.equal([403, { errors: ['permission denied'] }]);
      }
    }
    expect((await sealift.client.get('/v1/secret/data/x', { namespace: 'nowhere' })).status).to.equal(403);
  });

  it('a root token of a namespace is not a site administrator', async () => {
    const token = await tokenIn('team', ['root']);
    for (const namespace of ['team', 'root', '']) {
      const answer = await sealift.client.get('/api/v2/admin/general-settings', { token, namespace });
      expect(answer.status).to.equal(404);
    }
  });

  it('a rule names what lies below by its way there', async () => {
    const { client } = sealift;
    const rules = { path: { 'sub/kv/data/*': { capabilities: ['read'] } } };
    await client.post('/v1/sys/policies/acl/below', rules, { namespace: 'team' });
    const token = await tokenIn('team', ['below']);
    expect((await client.get('/v1/kv/data/x', { token, namespace: 'team/sub' })).status).to.equal(200);
    expect((await client.get('/v1/kv/data/x', { token, namespace: 'team' })).status).to.equal(403);
    expect((await client.get('/v1/sys/policies/acl/below')).status).to.equal(404);
  });

  it('a policy of the same name has another meaning in another namespace', async () => {
    const { client } = sealift;
    const grant = {
      path: {
        'auth/token/create': { capabilities: ['update'] },
        'sub/auth/token/create': { capabilities: ['update'] },
      },
    };
    await client.post('/v1/sys/policies/acl/grant', grant, { namespace: 'team' });
    await client.post(
      '/v1/sys/policies/acl/grant',
      { path: { '*': { capabilities: ['read'] } } },
      { namespace: 'team/sub' },
    );
    const token = await tokenIn('team', ['grant']);
    const make = (namespace: string, policies: string[]) =>
      client.post('/v1/auth/token/create', { policies }, { token, namespace });
    expect((await make('team', ['grant'])).status).to.equal(200);
    expect((await make('team/sub', ['grant'])).status).to.equal(400);
    expect((await make('team/sub', ['root'])).status).to.equal(400);
    expect((await make('team/sub', [])).body.auth.policies).to.deep.equal(['default']);
    expect((await make('other', [])).status).to.equal(403);
  });

  it('tokens of another namespace are neither found nor listed nor ended', async () => {
    const { client } = sealift;
    const token = await tokenIn('team');
    const foreign = (
      await client.post('/v1/auth/token/create', { policies: ['root'] }, { namespace: 'other' })
    ).body.auth;
    const call = (verb: string, body: object) =>
      client.post(`/v1/auth/token/${verb}`, body, { token, namespace: 'team' });
    expect((await call('lookup', { token: foreign.client_token })).status).to.equal(403);
    expect((await call('lookup-accessor', { accessor: foreign.accessor })).status).to.equal(400);
    expect((await call('revoke-accessor', { accessor: foreign.accessor })).status).to.equal(400);
    expect((await call('revoke', { token: foreign.client_token })).status).to.equal(204);
    const alive = await client.get('/v1/kv/data/x', { token: foreign.client_token, namespace: 'other' });
    expect(alive.status).to.equal(200);
    const listed = await client.list('/v1/auth/token/accessors', { token, namespace: 'team' });
    expect(listed.body.data.keys).not.to.include(foreign.accessor);
  });

  it('namespace names that rules would take for something else are refused', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/mounts/mounted/here', { type: 'kv-v2' });
    for (const path of [
      'sys',
      'auth',
      'api',
      'root',
      '.x',
      'a+',
      'a*',
      'a%20b',
      'team/sys',
      'missing/child',
      'secret',
      'mounted',
      'mounted/here',
    ]) {
      expect((await client.post(`/v1/sys/namespaces/${path}`)).status, path).to.equal(400);
    }
    for (const path of ['team', 'team/kv2', 'team/sub']) {
      expect((await client.post(`/v1/sys/mounts/${path}`, { type: 'kv' })).status, path).to.equal(400);
    }
    expect((await client.post('/v1/sys/mounts/sub', { type: 'kv' }, { namespace: 'team' })).status).to.equal(
      400,
    );
    expect(
      (await client.post('/v1/sys/mounts/team', { type: 'kv' }, { namespace: 'other' })).status,
    ).to.equal(204);
  });

  it('a namespace is deleted only when empty, and the refusal says what is left', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/full');
    await client.post('/v1/sys/namespaces/full/child');
    await client.post('/v1/sys/mounts/kv', { type: 'kv' }, { namespace: 'full' });
    await client.post('/v1/sys/policies/acl/p', { path: {} }, { namespace: 'full' });
    const { accessor } = (
      await client.post('/v1/auth/token/create', { policies: ['p'] }, { namespace: 'full' })
    ).body.auth;
    const refused = await client.delete('/v1/sys/namespaces/full');
    expect(refused.status).to.equal(400);
    expect(refused.body.errors[0]).to.match(/1 namespace, 1 mount, 1 policy, 1 token$/);
    const { data } = (await client.get('/v1/sys/namespaces/full?details=true')).body;
    expect(data.hindrances).to.deep.equal({ namespaces: 1, mounts: 1, policies: 1, tokens: 1 });
    await client.delete('/v1/sys/namespaces/full/child');
    await client.delete('/v1/sys/mounts/kv', { namespace: 'full' });
    await client.delete('/v1/sys/policies/acl/p', { namespace: 'full' });
    await client.post('/v1/auth/token/revoke-accessor', { accessor });
    expect((await client.delete('/v1/sys/namespaces/full')).status).to.equal(204);
    expect((await client.get('/v1/sys/namespaces/full')).status).to.equal(404);
    expect((await client.delete('/v1/sys/namespaces/full')).status).to.equal(204);
  });

  it('a list of namespaces with details counts what each itself holds, without those below', async () => {
    const { body } = await sealift.client.get('/v1/sys/namespaces?list=true&details=true');
    const { contents } = body.data.key_info['other/'];
    expect(contents).to.include({ mounts: 2, secrets: 1, destinations: 0 });
    expect(Date.parse(contents.last_changed)).to.be.closeTo(Date.now(), 600_000);
    expect(body.data.key_info['team/'].contents.secrets).to.equal(1);
    const plain = await sealift.client.get('/v1/sys/namespaces?list=true');
    expect(plain.body.data.key_info['other/']).to.not.have.property('contents');
  });
});
