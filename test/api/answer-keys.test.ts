import { expect } from 'chai';
import { cloud1Settings } from '../support/sandboxed.ts';
import type { Answer } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const ENVELOPE = 'request_id lease_id renewable lease_duration data wrap_info warnings auth mount_type';
const MOUNT =
  'accessor type description uuid local seal_wrap external_entropy_access options config plugin_version running_plugin_version running_sha256 deprecation_status';
const LEASES = 'default_lease_ttl max_lease_ttl force_no_cache';
const TOKEN =
  'accessor creation_time creation_ttl display_name entity_id expire_time explicit_max_ttl id issue_time meta num_uses orphan path policies renewable ttl type';
const AUTH =
  'client_token accessor policies token_policies metadata lease_duration renewable entity_id token_type orphan mfa_requirement num_uses';
const ROLE =
  'name allowed_policies allowed_policies_glob disallowed_policies disallowed_policies_glob allowed_entity_aliases orphan renewable path_suffix explicit_max_ttl period token_bound_cidrs token_explicit_max_ttl token_no_default_policy token_num_uses token_period token_type';
const VERSION = 'created_time custom_metadata deletion_time destroyed version';
const LIMITS = 'cas_required delete_version_after max_versions';
const ASSOCIATION =
  'accessor mount secret_name sub_key external_name secret_name_template sync_status updated_at source_version synced_version cause drift attempts next_attempt_at';

/**
 * A call, the keys of parts of its answer by their paths, and whether the answer has the keys of `data` a second time
 * beside it. `*` in a path: the first member.
 */
type Case = { call: string; body?: object; keys: Record<string, string>; isCopied?: true };

const CASES: Case[] = [
  { call: 'GET sys/policies/acl/app', keys: { data: 'name policy' } },
  { call: 'GET sys/policies/acl/default', keys: { data: 'name policy' } },
  { call: 'GET sys/policy/app', keys: { data: 'name rules' }, isCopied: true },
  { call: 'GET sys/policy', keys: { data: 'keys policies' }, isCopied: true },
  { call: 'LIST sys/policy', keys: { data: 'keys policies' }, isCopied: true },
  { call: 'LIST sys/policies/acl', keys: { data: 'keys' } },
  {
    call: 'GET sys/mounts',
    keys: { data: 'secret/ one/', 'data.*': MOUNT, 'data.*.config': LEASES },
    isCopied: true,
  },
  {
    call: 'GET sys/mounts/secret',
    keys: { data: MOUNT, 'data.config': LEASES, 'data.options': 'version' },
    isCopied: true,
  },
  { call: 'GET sys/mounts/secret/tune', keys: { data: `${LEASES} description options` }, isCopied: true },
  {
    call: 'POST sys/remount',
    body: { from: 'one', to: 'two' },
    keys: { data: 'migration_id' },
    isCopied: true,
  },
  { call: 'GET sys/auth', keys: { data: 'token/', 'data.*': MOUNT }, isCopied: true },
  {
    call: 'GET sys/auth/token',
    keys: { data: MOUNT, 'data.config': `${LEASES} token_type` },
    isCopied: true,
  },
  { call: 'GET sys/auth/token/tune', keys: { data: `${LEASES} description token_type` }, isCopied: true },
  {
    call: 'GET sys/mounts/auth/token/tune',
    keys: { data: `${LEASES} description token_type` },
    isCopied: true,
  },
  {
    call: 'GET sys/audit',
    keys: { data: 'file/', 'data.*': 'type path description local options' },
    isCopied: true,
  },
  { call: 'GET sys/key-status', keys: { data: 'term install_time encryptions' }, isCopied: true },
  {
    call: 'POST sys/capabilities-self',
    body: { paths: ['sys/mounts'] },
    keys: { data: 'sys/mounts capabilities' },
    isCopied: true,
  },
  {
    call: 'POST sys/capabilities-self',
    body: { paths: ['a', 'b'] },
    keys: { data: 'a b' },
    isCopied: true,
  },
  {
    call: 'POST sys/capabilities',
    body: { token: '<token>', paths: ['a'] },
    keys: { data: 'a capabilities' },
    isCopied: true,
  },
  {
    call: 'POST sys/capabilities-accessor',
    body: { accessor: '<accessor>', paths: ['a'] },
    keys: { data: 'a capabilities' },
    isCopied: true,
  },
  { call: 'GET sys/internal/ui/mounts', keys: { data: 'secret auth', 'data.secret.*': MOUNT } },
  { call: 'GET sys/internal/ui/mounts/secret/x', keys: { data: `${MOUNT} path` } },
  { call: 'GET sys/namespaces/team', keys: { data: 'id path custom_metadata' } },
  {
    call: 'LIST sys/namespaces',
    keys: { data: 'keys key_info', 'data.key_info.*': 'id path custom_metadata' },
  },
  { call: 'GET auth/token/lookup-self', keys: { data: TOKEN } },
  { call: 'POST auth/token/lookup', body: { token: '<token>' }, keys: { data: TOKEN } },
  { call: 'POST auth/token/lookup-accessor', body: { accessor: '<accessor>' }, keys: { data: TOKEN } },
  { call: 'POST auth/token/create', body: {}, keys: { auth: AUTH } },
  { call: 'POST auth/token/renew', body: { token: '<token>' }, keys: { auth: AUTH } },
  { call: 'LIST auth/token/accessors', keys: { data: 'keys' } },
  { call: 'GET auth/token/roles/ci', keys: { data: ROLE } },
  { call: 'LIST auth/token/roles', keys: { data: 'keys' } },
  {
    call: 'GET secret/data/app',
    keys: { data: 'data metadata', 'data.data': 'user', 'data.metadata': VERSION },
  },
  { call: 'POST secret/data/app', body: { data: { user: 'b' } }, keys: { data: VERSION } },
  {
    call: 'GET secret/metadata/app',
    keys: {
      data: `${LIMITS} created_time current_version custom_metadata last_updated_by oldest_version updated_time versions`,
      'data.versions.*': 'created_time created_by deleted_by deletion_time destroyed',
      'data.last_updated_by': 'actor client_id entity_id operation',
    },
  },
  { call: 'LIST secret/metadata', keys: { data: 'keys' } },
  { call: 'GET secret/subkeys/app', keys: { data: 'subkeys metadata', 'data.metadata': VERSION } },
  { call: 'GET secret/config', keys: { data: LIMITS } },
  { call: 'GET sys/sync/config', keys: { data: 'disabled queue_capacity' } },
  {
    call: 'GET sys/sync/destinations/cloud1-sm/prod',
    keys: {
      data: 'name type connection_details options',
      'data.connection_details': 'access_key_id secret_access_key region',
      'data.options':
        'granularity_level secret_name_template custom_tags conflict_policy deletion_policy on_latest_deleted drift_check owner_check_seconds',
    },
  },
  { call: 'LIST sys/sync/destinations', keys: { data: 'keys key_info total_destinations' } },
  { call: 'LIST sys/sync/destinations/cloud1-sm', keys: { data: 'keys total_destinations' } },
  {
    call: 'GET sys/sync/destinations/cloud1-sm/prod/associations',
    keys: {
      data: 'store_name store_type associated_secrets',
      // A version was saved since the link was made.
      'data.associated_secrets.*': `${ASSOCIATION} out_of_sync_since`,
    },
  },
  {
    call: 'LIST sys/sync/associations',
    keys: {
      data: 'keys key_info total_associations total_secrets',
      'data.key_info.*.0': 'mount secret_path',
    },
  },
  {
    call: 'GET sys/sync/associations/secret/app',
    keys: {
      data: 'associated_destinations',
      'data.associated_destinations.*': 'type name sub_key sync_status updated_at cause',
    },
  },
  { call: 'GET sys/activation-flags', keys: { data: 'activated unactivated' } },
  {
    call: 'POST sys/wrapping/lookup',
    body: { token: '<wrapping>' },
    keys: { data: 'creation_path creation_time creation_ttl' },
  },
];

const words = (text: string): string[] => text.split(' ').toSorted();

function partOf(body: unknown, path: string): object {
  return path.split('.').reduce((part, key) => {
    const inner = part as Record<string, unknown>;
    return (key === '*' ? Object.values(inner)[0] : inner[key]) as object;
  }, body as object);
}

describe('keys of answers that clients know', () => {
  let sealift: Sealift;
  const given = new Map<string, string>();
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await client.post('/v1/sys/policies/acl/app', { policy: 'path "a" { capabilities = ["read"] }' });
    await client.post('/v1/sys/mounts/one', { type: 'kv', options: { version: '1' } });
    await client.post('/v1/sys/namespaces/team');
    await client.post('/v1/auth/token/roles/ci', {});
    await client.post('/v1/secret/data/app', { data: { user: 'a' } });
    const destinationPath = '/v1/sys/sync/destinations/cloud1-sm/prod';
    await client.post(destinationPath, cloud1Settings());
    await client.post(`${destinationPath}/associations/set`, { mount: 'secret', secret_name: 'app' });
    const { auth } = (await client.post('/v1/auth/token/create', { policies: ['default'] })).body;
    given.set('<token>', auth.client_token).set('<accessor>', auth.accessor);
    // Its last use is stored.
    await client.get('/v1/auth/token/lookup-self', { token: auth.client_token });
    const wrapped = await client.get('/v1/sys/mounts', { headers: { 'x-vault-wrap-ttl': '60' } });
    given.set('<wrapping>', wrapped.body.wrap_info.token);
    expect(Object.keys(wrapped.body).toSorted()).to.deep.equal(words(ENVELOPE));
  });
  after(() => sealift.stop());

  async function ask({ call, body }: Case): Promise<Answer> {
    const [method = '', path = ''] = call.split(' ');
    const text = [...given].reduce(
      (so, [name, value]) => so.replace(name, value),
      JSON.stringify(body ?? {}),
    );
    const sent = body && (JSON.parse(text) as object);
    return method === 'LIST'
      ? sealift.client.list(`/v1/${path}`)
      : sealift.client.call(method, `/v1/${path}`, sent);
  }

  it('an answer has exactly the keys that clients compare, and what is ours stands elsewhere', async () => {
    for (const one of CASES) {
      const { status, body, text } = await ask(one);
      expect(status, `${one.call} ${text}`).to.equal(200);
      for (const [path, keys] of Object.entries(one.keys)) {
        expect(Object.keys(partOf(body, path)).toSorted(), `${one.call} ${path}`).to.deep.equal(words(keys));
      }
      const copied = one.isCopied ? Object.keys(body.data as object) : [];
      const top = [...new Set([...words(ENVELOPE), ...copied])].toSorted();
      expect(Object.keys(body as object).toSorted(), one.call).to.deep.equal(top);
      for (const key of copied)
        expect((body as Record<string, unknown>)[key], `${one.call} ${key}`).to.deep.equal(body.data[key]);
    }
  });

  it('a refusal has nothing but its errors', async () => {
    for (const path of ['sys/policies/acl/none', 'sys/mounts/none', 'secret/data/none', 'none']) {
      const { body } = await sealift.client.get(`/v1/${path}`);
      expect(Object.keys(body as object), path).to.deep.equal(['errors']);
    }
  });
});
