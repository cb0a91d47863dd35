import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('answers in the words that clients look for', () => {
  let sealift: Sealift;
  let limited: string;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/policies/acl/maker', {
      policy: 'path "auth/token/create" { capabilities = ["create", "update"] }',
    });
    limited = await makeToken({ policies: ['maker'] });
  });
  after(() => sealift.stop());

  async function makeToken(body: object): Promise<string> {
    const made = await sealift.client.post('/v1/auth/token/create', body);
    return made.body.auth.client_token as string;
  }

  it('an orphan token asked for without sudo is refused in the known words', async () => {
    const { client } = sealift;
    const answer = await client.post('/v1/auth/token/create', { no_parent: true }, { token: limited });
    expect([answer.status, answer.body.errors]).to.deep.equal([
      400,
      ['root or sudo privileges required to create orphan token'],
    ]);
  });

  it('a token without an end, or that may not be renewed, is no lease that is renewable', async () => {
    const { client } = sealift;
    const fixed = await makeToken({ policies: ['default'], renewable: false });
    for (const token of [sealift.token, fixed]) {
      for (const answer of [
        await client.post('/v1/auth/token/renew-self', {}, { token }),
        await client.post('/v1/auth/token/renew', { token }),
      ])
        expect([answer.status, answer.body.errors]).to.deep.equal([400, ['lease is not renewable']]);
    }
  });

  it('an installation that is asked to initialize says that it is, without a token', async () => {
    for (const method of ['PUT', 'POST']) {
      const body = { secret_shares: 1, secret_threshold: 1 };
      const answer = await sealift.client.call(method, '/v1/sys/init', body, { token: null });
      expect([answer.status, answer.body.errors]).to.deep.equal([400, ['Vault is already initialized']]);
    }
  });

  it('the preflight of a path of tokens finds the method', async () => {
    const { client } = sealift;
    const root = await client.get('/v1/sys/internal/ui/mounts/auth/token/roles/ci');
    expect(root.body.data).to.deep.include({ path: 'auth/token/', type: 'token' });
    const own = await client.get('/v1/sys/internal/ui/mounts/auth/token', { token: limited });
    expect(own.body.data.path).to.equal('auth/token/');
    const list = await client.get('/v1/sys/internal/ui/mounts', { token: limited });
    expect(Object.keys(list.body.data.auth as object)).to.deep.equal(['token/']);
    const bare = await makeToken({ policies: ['none'], no_default_policy: true });
    for (const path of ['auth/token/create', 'auth/github', 'auth'])
      expect((await client.get(`/v1/sys/internal/ui/mounts/${path}`, { token: bare })).status, path).to.equal(
        403,
      );
    const none = await client.get('/v1/sys/internal/ui/mounts', { token: bare });
    expect(none.body.data.auth).to.deep.equal({});
  });

  it('a mount may have spaces within its name, and policies, lists and moves reach it', async () => {
    const { client } = sealift;
    expect((await client.post('/v1/sys/mounts/my%20team/key%20value', { type: 'kv-v2' })).status).to.equal(
      204,
    );
    const secretPath = '/v1/my%20team/key%20value';
    expect((await client.post(`${secretPath}/data/an%20app`, { data: { a: 1 } })).status).to.equal(200);
    await client.post('/v1/sys/policies/acl/spaced', {
      policy: 'path "my team/key value/data/*" { capabilities = ["read"] }',
    });
    const token = await makeToken({ policies: ['spaced'] });
    expect((await client.get(`${secretPath}/data/an%20app`, { token })).body.data.data).to.deep.equal({
      a: 1,
    });
    expect((await client.list(`${secretPath}/metadata`)).body.data.keys).to.deep.equal(['an app']);
    expect((await client.list(`${secretPath}/metadata`, { token })).status).to.equal(403);
    const moved = await client.post('/v1/sys/remount', { from: 'my team/key value', to: 'our team' });
    expect(moved.status, moved.text).to.equal(200);
    expect((await client.get('/v1/our%20team/data/an%20app')).body.data.data).to.deep.equal({ a: 1 });
    expect((await client.get('/v1/sys/mounts/our%20team')).body.data.type).to.equal('kv');
    expect((await client.delete('/v1/sys/mounts/our%20team')).status).to.equal(204);
  });

  it('a mount is not made whose name begins or ends with a space, or has other white space', async () => {
    for (const path of [
      '%20a',
      'a%20',
      'a%20/b',
      'a/%20b',
      '%20',
      'a%C2%A0b',
      'a%E2%80%A8b',
      'a%E3%80%80b',
    ]) {
      const answer = await sealift.client.post(`/v1/sys/mounts/${path}`, { type: 'kv' });
      expect(answer.status, path).to.equal(400);
      expect(answer.text).to.contain('white space');
    }
  });

  it('a method that an open path does not have is refused as such, with and without a token', async () => {
    for (const path of ['/v1/sys/health', '/health/live', '/health/ready', '/.well-known/jwks.json'])
      for (const method of ['PUT', 'DELETE', 'PATCH'])
        for (const options of [{}, { token: null }]) {
          const answer = await sealift.client.call(method, path, undefined, options);
          const name = `${method} ${path}`;
          expect([answer.status, answer.body.errors], name).to.deep.equal([405, ['unsupported operation']]);
          expect(answer.headers['allow'], name).to.include('GET');
        }
  });

  it('nobody deletes a tuning: the method is refused, and the mount stays', async () => {
    const { client } = sealift;
    for (const path of ['sys/mounts/secret/tune', 'sys/mounts/none/tune', 'sys/auth/token/tune']) {
      const answer = await client.delete(`/v1/${path}`);
      expect([answer.status, answer.body.errors], path).to.deep.equal([405, ['unsupported operation']]);
      expect(answer.headers['allow']).to.equal('GET, POST, PUT');
    }
    expect((await client.get('/v1/sys/mounts/secret')).status).to.equal(200);
  });
});
