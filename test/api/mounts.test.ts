import { expect } from 'chai';
import { untilWaiting } from '../support/lock-waits.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('mounts', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const make = (path: string, body: unknown = { type: 'kv-v2' }) =>
    sealift.client.post(`/v1/sys/mounts/${path}`, body);
  const read = async (path: string) => (await sealift.client.get(`/v1/sys/mounts/${path}`)).body.data;

  it('a fresh installation has secret/ with version 2', async () => {
    const answer = await sealift.client.get('/v1/sys/mounts');
    const mount = answer.body.data['secret/'];
    expect(mount).to.deep.include({ type: 'kv', local: false, seal_wrap: false, options: { version: '2' } });
    expect(mount.accessor).to.match(/^kv_[0-9a-f]{8}$/);
    expect(mount.config).to.deep.include({ default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false });
    expect(answer.body['secret/']).to.deep.equal(mount);
  });

  it('a mount is made as command lines and infrastructure tools ask for it', async () => {
    const body = {
      type: 'kv',
      description: 'teams',
      config: { default_lease_ttl: '0s', max_lease_ttl: '1h', force_no_cache: false, options: null },
      local: false,
      seal_wrap: false,
      external_entropy_access: false,
      options: { version: '2' },
    };
    const answer = await make('team/one/', body);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect(await read('team/one')).to.deep.include({
      type: 'kv',
      description: 'teams',
      options: { version: '2' },
    });
    expect((await read('team/one')).config.max_lease_ttl).to.equal(3600);
    await sealift.client.post('/v1/team/one/data/x', { data: { a: 1 } });
    expect((await sealift.client.get('/v1/team/one/data/x')).status).to.equal(200);
    expect((await make('plain', { type: 'kv' })).status).to.equal(204);
    await sealift.client.post('/v1/plain/x', { a: 1 });
    expect((await sealift.client.get('/v1/plain/x')).body.data).to.deep.equal({ a: 1 });
  });

  it('a mount has a path of its own: not another one’s, nor one inside or around it', async () => {
    expect((await make('taken/deep')).status).to.equal(204);
    for (const path of ['taken/deep', 'taken', 'taken/deep/er']) {
      const answer = await make(path);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.deep.equal(['path is already in use at taken/deep/']);
    }
    expect((await make('taken/deeper')).status).to.equal(204);
    const answers = await Promise.all(Array.from({ length: 6 }, () => make('race')));
    expect(answers.filter((answer) => answer.status === 204)).to.have.length(1);
  });

  it('paths that would hide something and unknown types are refused', async () => {
    const reserved = [
      'sys',
      'auth/x',
      'api',
      'ui',
      'docs',
      'health',
      'users',
      'v1',
      '.hidden',
      'a/.b',
      '.well-known',
    ];
    const unfit = ['a%20', 'a%09b', 'a*', 'a+b', 'x/tune', 'x'.repeat(300), 'a/a/a/a/a/a/a/a/a'];
    for (const path of [...reserved, ...unfit]) {
      expect((await sealift.client.post(`/sys/mounts/${path}`, { type: 'kv' })).status, path).to.equal(400);
    }
    for (const body of [
      {},
      { type: 'pki' },
      { type: 'kv', options: { version: 3 } },
      { type: 7 },
      { type: 'kv', options: 'x' },
    ]) {
      expect((await make('typed', body)).status, JSON.stringify(body)).to.equal(400);
    }
    const answer = await sealift.client.get('/v1/sys/mounts/typed');
    expect(answer.status).to.equal(400);
    expect(answer.body.errors).to.deep.equal(['No secret engine mount at typed/']);
  });

  it('a description that no text can hold is left out, and nothing fails', async () => {
    const answer = await make('text', { type: 'kv', description: 'a\u0000b' });
    expect(answer.status).to.equal(400);
    expect((await make('text', { type: 'kv', config: { x: '\ud800' } })).status).to.equal(400);
  });

  it('a mount is tuned, and its settings read back', async () => {
    await make('tuned');
    const tuning = {
      default_lease_ttl: '60s',
      max_lease_ttl: '',
      description: 'new',
      options: { version: '2' },
    };
    expect((await sealift.client.post('/v1/sys/mounts/tuned/tune', tuning)).status).to.equal(204);
    expect((await sealift.client.get('/v1/sys/mounts/tuned/tune')).body.data).to.deep.include({
      default_lease_ttl: 60,
      max_lease_ttl: 2764800,
      force_no_cache: false,
      description: 'new',
      options: { version: '2' },
    });
    expect(
      (await sealift.client.post('/v1/sys/mounts/tuned/tune', { default_lease_ttl: 'x' })).status,
    ).to.equal(400);
    expect((await sealift.client.post('/v1/sys/mounts/nothing/tune', {})).status).to.equal(400);
  });

  it('changes that several callers tune at the same moment are all kept', async () => {
    const { client, context } = sealift;
    await make('shared');
    const pending = await context.db.transaction(async (transaction) => {
      await transaction('mounts').where({ path: 'shared' }).forUpdate();
      const tunings = [{ default_lease_ttl: '1m' }, { max_lease_ttl: '1h' }].map((tuning) =>
        client.post('/v1/sys/mounts/shared/tune', tuning),
      );
      await untilWaiting(context.db, tunings.length);
      return { tunings };
    });
    for (const { status } of await Promise.all(pending.tunings)) expect(status).to.equal(204);
    expect((await read('shared')).config).to.include({ default_lease_ttl: 60, max_lease_ttl: 3600 });
  });

  it('a mount is dropped with its secrets, also where it is not there', async () => {
    await make('dropped');
    await sealift.client.post('/v1/dropped/data/x', { data: { a: 1 } });
    expect((await sealift.client.delete('/v1/sys/mounts/dropped')).status).to.equal(204);
    expect((await sealift.client.delete('/v1/sys/mounts/dropped')).status).to.equal(204);
    expect((await sealift.client.get('/v1/dropped/data/x')).status).to.equal(404);
    await make('dropped');
    expect((await sealift.client.get('/v1/dropped/data/x')).status).to.equal(404);
  });

  it('a mount is found by a path within it, and shown only to those who have some right in it', async () => {
    await make('seen');
    await make('hidden');
    await sealift.client.post('/v1/sys/policies/acl/seer', {
      path: { 'seen/data/app/*': { capabilities: ['read'] } },
    });
    const created = await sealift.client.post('/v1/auth/token/create', { policies: ['seer'] });
    const token = created.body.auth.client_token as string;
    const preflight = (path: string) => sealift.client.get(`/v1/sys/internal/ui/mounts/${path}`, { token });
    const found = await preflight('seen/app/db');
    expect(found.body.data).to.deep.include({ path: 'seen/', type: 'kv', options: { version: '2' } });
    for (const path of ['hidden/app', 'nowhere/app']) {
      const answer = await preflight(path);
      expect(answer.status).to.equal(403);
      expect(answer.body.errors).to.deep.equal([
        `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
      ]);
    }
    const all = await sealift.client.get('/v1/sys/internal/ui/mounts', { token });
    expect(Object.keys(all.body.data.secret)).to.deep.equal(['seen/']);
    expect((await sealift.client.get('/v1/sys/mounts', { token })).status).to.equal(403);
    expect((await sealift.client.get('/v1/sys/internal/ui/mounts', { token: null })).status).to.equal(403);
  });

  it('the version of a mount reads back where somebody named it, or where it is 2', async () => {
    await make('silent', { type: 'kv' });
    expect((await read('silent')).options).to.equal(null);
    await sealift.client.post('/v1/sys/mounts/silent/tune', { options: {}, description: 'still silent' });
    expect(await read('silent')).to.deep.include({ options: null, description: 'still silent' });
    await make('named', { type: 'kv', options: { version: '1' } });
    expect((await read('named')).options).to.deep.equal({ version: '1' });
    await sealift.client.post('/v1/sys/mounts/silent/tune', { options: { version: '2' } });
    expect((await read('silent')).options).to.deep.equal({ version: '2' });
  });

  it('a mount keeps what clients tune of it, and an empty list takes a list away', async () => {
    expect((await make('kept', { type: 'kv-v2', local: true, seal_wrap: true })).status).to.equal(204);
    expect(await read('kept')).to.deep.include({ local: true, seal_wrap: true });
    const tune = (body: object) => sealift.client.post('/v1/sys/mounts/kept/tune', body);
    const tuning = async () => (await sealift.client.get('/v1/sys/mounts/kept/tune')).body.data;
    expect(await tuning()).to.deep.include({ default_lease_ttl: 2764800, max_lease_ttl: 2764800 });
    const kept = {
      audit_non_hmac_request_keys: ['a', 'b'],
      audit_non_hmac_response_keys: ['c'],
      passthrough_request_headers: ['x-a'],
      allowed_response_headers: ['x-b'],
      listing_visibility: 'hidden',
    };
    expect((await tune({ ...kept, default_lease_ttl: '1h', max_lease_ttl: 7200 })).status).to.equal(204);
    expect(await tuning()).to.deep.include({ ...kept, default_lease_ttl: 3600, max_lease_ttl: 7200 });
    expect((await read('kept')).config).to.deep.include(kept);
    await tune({ audit_non_hmac_request_keys: [] });
    expect(await tuning()).to.not.have.property('audit_non_hmac_request_keys');
    const ignored = await tune({ no_such_setting: 'x' });
    expect(ignored.body.warnings).to.deep.equal([
      'Endpoint ignored these unrecognized parameters: [no_such_setting]',
    ]);
    expect(await tuning()).to.not.have.property('no_such_setting');
    expect((await tune({ constructor: 'x' })).status).to.equal(200);
    const refused = await tune({ listing_visibility: 'everybody' });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('listing_visibility');
  });

  it('a mount’s usage counts secrets and links, and names what the caller may read', async () => {
    const { client } = sealift;
    await make('counted');
    const usage = async (options = {}) => client.get('/v1/sys/mount-usage/counted', options);
    const nothing = { secrets: 0, links: 0, is_complete: true, destinations: [] };
    expect((await usage()).body.data).to.deep.equal(nothing);
    for (const path of ['a', 'b/c']) await client.post(`/v1/counted/data/${path}`, { data: { a: 1 } });
    const settings = { access_token: 'x', repository_owner: 'o', repository_name: 'counted' };
    await client.post('/v1/sys/sync/destinations/repo-host/counted', settings);
    await client.post('/v1/sys/sync/destinations/repo-host/counted/associations/set', {
      mount: 'counted',
      secret_name: 'a',
    });
    const used = { secrets: 2, links: 1, is_complete: true };
    const destinations = [{ type: 'repo-host', name: 'counted', links: 1 }];
    expect((await usage()).body.data).to.deep.equal({ ...used, destinations });
    const policy = 'path "sys/mount-usage/*" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/counts', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['counts'] });
    const seen = await usage({ token: made.body.auth.client_token });
    expect(seen.body.data).to.deep.equal({ ...used, destinations: [] });
    expect((await client.get('/v1/sys/mount-usage/nowhere')).status).to.equal(404);
  });

  it('a mount’s usage counts the versions that a smaller limit would delete', async () => {
    const { client } = sealift;
    await make('limited');
    const write = async (path: string, count: number) => {
      for (let version = 0; version < count; version += 1)
        await client.post(`/v1/limited/data/${path}`, { data: { version } });
    };
    await write('four', 4);
    await write('own', 4);
    await client.post('/v1/limited/metadata/own', { max_versions: 4 });
    await write('two', 2);
    await write('one', 1);
    const dropped = async (most: number) =>
      (await client.get(`/v1/sys/mount-usage/limited?max_versions=${most}`)).body.data.dropped;
    expect(await dropped(2)).to.deep.equal({ secrets: 2, versions: 3 + 1 });
    expect(await dropped(10)).to.deep.equal({ secrets: 0, versions: 0 });
    expect(await dropped(0)).to.deep.equal({ secrets: 0, versions: 0 });
    await client.post('/v1/limited/config', { max_versions: 2 });
    expect(await dropped(1)).to.deep.equal({ secrets: 3, versions: 1 + 1 + 1 });
    for (const path of ['four', 'own', 'two', 'one']) await write(path, 1);
    const kept = async (path: string) =>
      Object.keys((await client.get(`/v1/limited/metadata/${path}`)).body.data.versions);
    expect(await kept('four')).to.deep.equal(['4', '5']);
    expect(await kept('own')).to.deep.equal(['2', '3', '4', '5']);
    expect((await client.get('/v1/sys/mount-usage/limited?max_versions=-1')).status).to.equal(400);
    await client.post('/v1/sys/mounts/unversioned', { type: 'kv', options: { version: '1' } });
    await client.post('/v1/unversioned/a', { a: 1 });
    const { body } = await client.get('/v1/sys/mount-usage/unversioned?max_versions=1');
    expect(body.data.dropped).to.deep.equal({ secrets: 0, versions: 0 });
  });
});
