import { expect } from 'chai';
import type { CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

/** The fields of an answer that a client with fixed types cannot do without. */
type Shape = Record<string, 'string' | 'number' | 'boolean' | 'array' | 'object'>;

const ENVELOPE: Shape = {
  lease_id: 'string',
  lease_duration: 'number',
  renewable: 'boolean',
  request_id: 'string',
};
const AUTH: Shape = {
  client_token: 'string',
  accessor: 'string',
  policies: 'array',
  token_policies: 'array',
  lease_duration: 'number',
  renewable: 'boolean',
  entity_id: 'string',
  token_type: 'string',
  orphan: 'boolean',
};
const LOOKUP: Shape = {
  accessor: 'string',
  creation_time: 'number',
  creation_ttl: 'number',
  display_name: 'string',
  entity_id: 'string',
  explicit_max_ttl: 'number',
  id: 'string',
  num_uses: 'number',
  orphan: 'boolean',
  path: 'string',
  policies: 'array',
  renewable: 'boolean',
  ttl: 'number',
};
const ROLE: Shape = {
  allowed_policies: 'array',
  disallowed_policies: 'array',
  explicit_max_ttl: 'number',
  name: 'string',
  orphan: 'boolean',
  path_suffix: 'string',
  period: 'number',
  renewable: 'boolean',
  token_explicit_max_ttl: 'number',
  token_period: 'number',
  token_type: 'string',
};
const MOUNT: Shape = {
  accessor: 'string',
  config: 'object',
  description: 'string',
  external_entropy_access: 'boolean',
  local: 'boolean',
  seal_wrap: 'boolean',
  type: 'string',
  uuid: 'string',
};
const VERSION: Shape = {
  created_time: 'string',
  deletion_time: 'string',
  destroyed: 'boolean',
  version: 'number',
};
const METADATA: Shape = {
  cas_required: 'boolean',
  created_time: 'string',
  current_version: 'number',
  delete_version_after: 'string',
  max_versions: 'number',
  oldest_version: 'number',
  updated_time: 'string',
  versions: 'object',
};

function expectShape(value: Record<string, unknown>, shape: Shape): void {
  for (const [field, type] of Object.entries(shape)) expect(value[field], field).to.be.a(type);
}

describe('the exchanges of clients with fixed types', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  // Some send an empty namespace with each call.
  async function call(method: string, path: string, body?: unknown, options: CallOptions = {}) {
    const headers = { 'x-vault-namespace': '', ...options.headers };
    const answer = await sealift.client.call(method, `/v1/${path}`, body, { ...options, headers });
    if (answer.status === 200 && !path.startsWith('sys/init')) expectShape(answer.body, ENVELOPE);
    return answer;
  }

  for (const store of ['kv_typed', 'cubbyhole'])
    it(`the chain of ${store}: a secret is written, read, listed and gone`, async () => {
      if (store !== 'cubbyhole') await call('POST', `sys/mounts/${store}`, { type: 'kv' });
      const secret = { key1: 'value1', key2: 'value2' };
      expect((await call('POST', `${store}/mysecret/foo`, secret)).status).to.equal(204);
      const read = (await call('GET', `${store}/mysecret/foo`)).body;
      expect(read.data).to.deep.equal(secret);
      expect(read.auth).to.equal(null);
      expect((await call('LIST', `${store}/mysecret`)).body.data).to.deep.equal({ keys: ['foo'] });
      expect((await call('DELETE', `${store}/mysecret/foo`)).status).to.equal(204);
      const gone = await call('GET', `${store}/mysecret/foo`);
      expect(gone.status).to.equal(404);
      expect(gone.body).to.deep.equal({ errors: [] });
    });

  it('every answer of the chain of versions has its fields', async () => {
    const mount = 'path/to/secret%20engine';
    const name = 'path/to/some%20secret/password%20name';
    await call('POST', `sys/mounts/${mount}`, { type: 'kv-v2' });
    expectShape((await call('POST', `${mount}/data/${name}`, { data: { a: '1' } })).body.data, VERSION);
    const listed = await call('LIST', `${mount}/metadata/path/to/some%20secret/`);
    expect(listed.body.data).to.deep.equal({ keys: ['password name'] });
    const read = (await call('GET', `${mount}/data/${name}?version=1`)).body.data;
    expect(read.data).to.deep.equal({ a: '1' });
    expectShape(read.metadata, VERSION);
    const cas = { data: { a: '2' }, options: { cas: 0 } };
    expect((await call('POST', `${mount}/data/other`, cas)).status).to.equal(200);
    expect((await call('POST', `${mount}/data/other`, cas)).status).to.equal(400);
    const settings = { delete_version_after: '1h', custom_metadata: { key1: 'foo' } };
    await call('POST', `${mount}/metadata/${name}`, settings);
    for (const [path, body] of [
      ['delete', { versions: [1] }],
      ['undelete', { versions: [1] }],
      ['destroy', { versions: [1] }],
    ] as const)
      expect((await call('POST', `${mount}/${path}/${name}`, body)).status, path).to.equal(204);
    const metadata = (await call('GET', `${mount}/metadata/${name}`)).body.data;
    expectShape(metadata, METADATA);
    expect(metadata.custom_metadata).to.deep.equal({ key1: 'foo' });
    expect(metadata.versions['1'].destroyed).to.equal(true);
    await call('POST', `${mount}/config`, { max_versions: 100, delete_version_after: '768h' });
    const config = (await call('GET', `${mount}/config`)).body.data;
    expectShape(config, { cas_required: 'boolean', delete_version_after: 'string', max_versions: 'number' });
  });

  it('the chain of tokens: roles, look-ups, renewals and revocations have their fields', async () => {
    const own = (await call('POST', 'auth/token/create-orphan', {})).body.auth;
    const as = { token: own.client_token as string };
    const make = async () => {
      const { auth } = (
        await call('POST', 'auth/token/create', { ttl: '10m', renewable: true, explicit_max_ttl: '1h' }, as)
      ).body;
      expectShape(auth, AUTH);
      return auth as { client_token: string; accessor: string };
    };
    const role = 'auth/token/roles/typed';
    expect((await call('POST', role, { renewable: true, token_explicit_max_ttl: '1h' }, as)).status).to.equal(
      204,
    );
    expect((await call('LIST', 'auth/token/roles', undefined, as)).body.data.keys).to.include('typed');
    expectShape((await call('GET', role, undefined, as)).body.data, ROLE);
    expect((await call('DELETE', role, undefined, as)).status).to.equal(204);
    expect((await call('POST', 'auth/token/tidy', undefined, as)).body.data).to.equal(null);

    const { client_token: token, accessor } = await make();
    expectShape((await call('POST', 'auth/token/lookup', { token }, as)).body.data, LOOKUP);
    expectShape((await call('GET', 'auth/token/lookup-self', undefined, as)).body.data, LOOKUP);
    const byAccessor = (await call('POST', 'auth/token/lookup-accessor', { accessor }, as)).body.data;
    expectShape(byAccessor, { ...LOOKUP, id: 'string' });
    expect(byAccessor.id).to.equal('');
    const renewed = await call('POST', 'auth/token/renew', { token, increment: '20m' }, as);
    expectShape(renewed.body.auth, AUTH);
    const again = await call('POST', 'auth/token/renew-accessor', { accessor, increment: '20m' }, as);
    expectShape(again.body.auth, { ...AUTH, client_token: 'string' });
    const root = await call('POST', 'auth/token/renew-self', { increment: '20m' }, as);
    expect(root.body.errors).to.deep.equal(['lease is not renewable']);

    expect((await call('POST', 'auth/token/revoke', { token }, as)).status).to.equal(204);
    const second = await make();
    expect(
      (await call('POST', 'auth/token/revoke-accessor', { accessor: second.accessor }, as)).status,
    ).to.equal(204);
    const third = await make();
    expect(
      (await call('POST', 'auth/token/revoke-orphan', { token: third.client_token }, as)).status,
    ).to.equal(204);
    expect((await call('POST', 'auth/token/revoke-self', undefined, as)).status).to.equal(204);
    expect((await call('GET', 'auth/token/lookup-self', undefined, as)).status).to.equal(403);
  });

  it('the chain of mounts: wrapped, listed, moved and dropped, all answers have their fields', async () => {
    const wrapped = await call('GET', 'sys/mounts', undefined, { headers: { 'x-vault-wrap-ttl': '60' } });
    const { token } = wrapped.body.wrap_info as { token: string };
    const found = (await call('POST', 'sys/wrapping/lookup', { token })).body.data;
    expectShape(found, { creation_path: 'string', creation_time: 'string', creation_ttl: 'number' });
    const mounts = (await call('POST', 'sys/wrapping/unwrap', { token })).body.data;
    for (const mount of Object.values(mounts)) expectShape(mount as Record<string, unknown>, MOUNT);
    expect((await call('POST', 'sys/wrapping/lookup', { token })).status).to.equal(400);
    expect((await call('PUT', 'sys/init', { secret_shares: 1, secret_threshold: 1 })).status).to.equal(400);

    await call('POST', 'sys/mounts/kv_old', { type: 'kv' });
    await call('POST', 'kv_old/mysecret/foo', { key: 'value' });
    expectShape((await call('GET', 'sys/mounts/kv_old')).body.data, MOUNT);
    const moved = (await call('POST', 'sys/remount', { from: 'kv_old', to: 'kv_new' })).body.data;
    const status = (await call('GET', `sys/remount/status/${moved.migration_id}`)).body.data;
    expectShape(status.migration_info, { source_mount: 'string', target_mount: 'string', status: 'string' });
    expect(status.migration_info.status).to.equal('success');
    expect((await call('GET', 'kv_old/mysecret/foo')).status).to.equal(404);
    expect((await call('GET', 'kv_new/mysecret/foo')).body.data).to.deep.equal({ key: 'value' });
    await call('DELETE', 'sys/mounts/kv_new');
    expect((await call('GET', 'sys/mounts/kv_new')).status).to.equal(400);
  });
});
