import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named } from './support.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/audited';

describe('what the audit trail tells of a change', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const detailOf = async (requestId: string) => (await entryOf(sealift, requestId)).detail;
  const post = async (path: string, body: unknown, requestId: string) => {
    const answer = await sealift.client.post(path, body, named(requestId));
    expect(answer.status, answer.text).to.be.below(300);
    return answer;
  };

  it('a new token is told by accessor, policies and lifetime, and its end by its accessor', async () => {
    const made = await post(
      '/v1/auth/token/create',
      { policies: ['one'], ttl: '1h', display_name: 'ci' },
      'token-1',
    );
    const { accessor, client_token: token } = made.body.auth;
    expect(await detailOf('token-1')).to.deep.equal({
      accessor,
      display_name: 'token-ci',
      policies: ['default', 'one'],
      ttl_seconds: 3600,
      orphan: false,
      num_uses: null,
      period_seconds: 0,
      explicit_max_ttl_seconds: 0,
      bound_cidrs: [],
      role: null,
      parent_accessor: (await sealift.client.get('/v1/auth/token/lookup-self')).body.data.accessor,
    });
    await post('/v1/auth/token/renew', { token, increment: '30m' }, 'token-2');
    expect(await detailOf('token-2')).to.deep.include({ accessor, ttl_seconds: 1800 });
    await post('/v1/auth/token/revoke-accessor', { accessor }, 'token-3');
    expect(await detailOf('token-3')).to.deep.include({ accessor, display_name: 'token-ci' });
    const again = await post('/v1/auth/token/create', { policies: ['one'] }, 'token-4');
    await post('/v1/auth/token/revoke', { token: again.body.auth.client_token }, 'token-5');
    expect(await detailOf('token-5')).to.deep.include({ accessor: again.body.auth.accessor });
  });

  it('the entry of a retry tells its filter and how many links it tried', async () => {
    const path = '/v1/sys/sync/destinations/cloud1-sm/retried';
    await post(path, { region: 'eu-west-1' }, 'retry-0');
    await post(`${path}/associations/retry`, { status: 'SYNCED' }, 'retry-1');
    expect(await detailOf('retry-1')).to.deep.equal({ filter: { status: ['SYNCED'] }, links: 0 });
    await sealift.client.post('/v1/sys/mounts/plain', { type: 'kv', options: { version: '1' } });
    for (const [id, change] of [
      ['kv1-1', 'created'],
      ['kv1-2', 'replaced'],
    ] as const) {
      await post('/v1/plain/app', { a: id }, id);
      expect(await detailOf(id)).to.deep.equal({ change });
    }
    for (const [id, change] of [
      ['kv1-3', 'deleted'],
      ['kv1-4', 'none'],
    ] as const) {
      await sealift.client.call('DELETE', '/v1/plain/app', undefined, named(id));
      expect(await detailOf(id)).to.deep.equal({ change });
    }
  });

  it('the end of a session tells whose it was', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', {
      policies: ['default'],
      display_name: 'ana',
    });
    const { client_token: token, accessor } = made.body.auth;
    const headers = { 'sec-fetch-site': 'same-origin' };
    await sealift.client.post('/v1/auth/session', undefined, { token, headers });
    const listed = await sealift.client.call('LIST', '/v1/auth/session');
    const id = listed.body.data.keys.at(-1);
    await sealift.client.call('DELETE', `/v1/auth/session/${id}`, undefined, named('session-1'));
    expect(await detailOf('session-1')).to.deep.equal({
      change: 'ended',
      accessor,
      display_name: 'token-ana',
    });
    await sealift.client.call('DELETE', `/v1/auth/session/${id}`, undefined, named('session-2'));
    expect(await detailOf('session-2')).to.deep.equal({ change: 'none' });
  });

  it('a token that somebody typed into a path is masked wherever the trail would show it', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const token: string = made.body.auth.client_token;
    await sealift.client.post(`/v1/secret/data/notes/${token}`, { data: { a: 'b' } }, named('typed-1'));
    await sealift.client.post(`/v1/sys/policies/acl/${token}`, { path: {} }, named('typed-2'));
    await sealift.client.get(`/v1/secret/data/${token}`, { token, ...named('typed-3') });
    await sealift.client.get(`/v1/${token}/x`, { token: null });
    const all = JSON.stringify(await sealift.context.db('audit_events').select());
    expect(all).to.contain('secret/data/notes/slt.*****').and.not.contain(token);
  });

  it('each alias of a path finds the entries of all aliases', async () => {
    const { client } = sealift;
    const spelled: [string, string, string][] = [
      ['sys/sync/destinations/aws-sm/alias', 'sys/sync/destinations/cloud1-sm/alias', 'alias-1'],
      ['sys/policy/Spelled', 'sys/policies/acl/spelled', 'alias-2'],
      ['api/v2/admin/twilio-settings', 'api/v2/admin/sms-settings', 'alias-3'],
    ];
    const write = { policy: 'path "x" { capabilities = ["read"] }' };
    await client.post('/v1/sys/sync/destinations/aws-sm/alias', { region: 'eu-west-1' }, named('alias-1'));
    await client.post('/v1/sys/policy/Spelled', write, named('alias-2'));
    await client.patch(
      '/api/v2/admin/twilio-settings',
      { data: { type: 'twilio-settings', attributes: {} } },
      named('alias-3'),
    );
    for (const [alias, plain, id] of spelled) {
      const [entry] = await entriesWith(sealift, { 'request-id': id });
      expect(entry?.path, id).to.equal(plain);
      for (const path of [alias, plain]) {
        const found = await entriesWith(sealift, { path });
        expect(
          found.map((one) => one['request-id']),
          path,
        ).to.include(id);
      }
    }
    const former = { at: new Date(), actor: 'x', namespace: '', action: 'x', path: 'sys/policy/Former' };
    await sealift.context.db('audit_events').insert({ ...former, request_id: 'alias-4' });
    const [found] = await entriesWith(sealift, { path: 'sys/policy/Former' });
    expect(found?.['request-id']).to.equal('alias-4');
  });

  it('a look-up of a token names it, and a workload token its subject and audience', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['one'] });
    const { accessor } = made.body.auth;
    await post('/v1/auth/token/lookup-accessor', { accessor }, 'look-1');
    await post('/v1/sys/capabilities-accessor', { accessor, paths: ['secret/data/a'] }, 'look-2');
    for (const id of ['look-1', 'look-2']) expect(await detailOf(id)).to.deep.include({ accessor });
    const signed = await post('/v1/identity/oidc/token', { audience: ['sts'] }, 'look-3');
    const [, claims = ''] = signed.body.data.token.split('.');
    const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const action = 'POST /identity/oidc/token';
    const [entry] = await entriesWith(sealift, { 'request-id': 'look-3', action });
    expect(entry?.detail).to.deep.equal({ subject: sub, audience: ['sts'] });
  });

  it('a filter leaves out the actions that it names, whichever alias names them', async () => {
    await post('/v1/sys/capabilities', { token: sealift.token, paths: ['secret/data/a'] }, 'without-1');
    await post(
      '/v1/sys/policies/acl/without',
      { policy: 'path "a" { capabilities = ["read"] }' },
      'without-2',
    );
    const idsWithout = async (actions: string) =>
      (await entriesWith(sealift, { 'without-action': actions })).map((entry) => entry['request-id']);
    expect(await idsWithout('POST /sys/unlike')).to.include.members(['without-1', 'without-2']);
    const less = await idsWithout('POST /sys/capabilities, PUT /sys/policies/acl/:name');
    expect(less).to.not.include('without-1');
    expect(less).to.not.include('without-2');
    expect(less).to.include('look-1');
  });

  it('a secret sent in place of an accessor is not kept', async () => {
    const body = { accessor: 'CaNaRy-in-place' };
    expect(
      (await sealift.client.post('/v1/auth/token/revoke-accessor', body, named('token-6'))).status,
    ).to.equal(400);
    expect(JSON.stringify(await entryOf(sealift, 'token-6'))).to.not.include('CaNaRy');
  });

  it('the entry of a policy change tells the rules that came, went and changed', async () => {
    const write = (policy: string, requestId: string) =>
      post('/v1/sys/policies/acl/audited', { policy }, requestId);
    await write('path "a" { capabilities = ["read"] } path "b" { capabilities = ["list"] }', 'policy-1');
    expect(await detailOf('policy-1')).to.deep.include({ added: { a: 'read', b: 'list' } });
    await write(
      'path "a" { capabilities = ["read", "update"] allowed_parameters = { "p" = ["CaNaRy"] } } path "c" { capabilities = ["deny"] }',
      'policy-2',
    );
    const { changed, ...others } = (await detailOf('policy-2')) ?? {};
    expect(others).to.deep.include({ added: { c: 'deny' }, removed: { b: 'list' } });
    expect((changed as Record<string, string>)['a']).to.match(
      /^read -> read, update, with allowed_parameters \(fingerprint:[0-9a-f]{16}\)$/,
    );
    await sealift.client.delete('/v1/sys/policies/acl/audited', named('policy-3'));
    expect(Object.keys((await detailOf('policy-3'))?.['removed'] as object)).to.have.members(['a', 'c']);
  });

  it('changes of mounts and token roles are told with the old and the new setting', async () => {
    await post('/v1/sys/mounts/audited', { type: 'kv', options: { version: '2' } }, 'mount-1');
    expect(await detailOf('mount-1')).to.deep.equal({ mount: 'audited', version: 2 });
    await post('/v1/sys/mounts/audited/tune', { description: 'ours' }, 'mount-2');
    expect(await detailOf('mount-2')).to.deep.equal({
      mount: 'audited',
      changed: { description: { old: '', new: 'ours' } },
    });
    await post('/v1/sys/remount', { from: 'audited', to: 'moved' }, 'mount-3');
    expect(await detailOf('mount-3')).to.deep.include({ from: 'audited', to: 'moved' });
    await sealift.client.delete('/v1/sys/mounts/moved', named('mount-4'));
    expect(await detailOf('mount-4')).to.include({ mount: 'moved', version: 2 });
    await post('/v1/auth/token/roles/audited', { orphan: true }, 'role-1');
    expect(await detailOf('role-1')).to.deep.equal({
      change: 'created',
      changed: { orphan: { old: false, new: true } },
    });
  });

  it('writes, reads and deletions of a secret tell the version', async () => {
    await post('/v1/secret/data/told', { data: { password: 'CaNaRy' } }, 'kv-1');
    expect(await detailOf('kv-1')).to.deep.equal({ version: 1 });
    await sealift.client.get('/v1/secret/data/told', named('kv-2'));
    expect(await detailOf('kv-2')).to.deep.equal({ version: 1 });
    await post('/v1/secret/destroy/told', { versions: [1] }, 'kv-3');
    expect(await detailOf('kv-3')).to.deep.equal({ versions: [1] });
    const found = await entriesWith(sealift, { secret: 'secret/told' });
    expect(found.map((entry) => entry['request-id'])).to.deep.equal(['kv-3', 'kv-2', 'kv-1']);
    expect(JSON.stringify(found)).to.not.include('CaNaRy');
  });

  it('linking and unlinking is found by the secret, also where many are linked at once', async () => {
    const { client } = sealift;
    for (const name of ['one', 'two']) await client.post(`/v1/secret/data/links/${name}`, { data: { a: 1 } });
    const made = await client.post(DESTINATION, {
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'eu-central-1',
    });
    expect(made.status, made.text).to.equal(200);
    const secrets = ['one', 'two'].map((name) => ({ mount: 'secret', secret_name: `links/${name}` }));
    await post(`${DESTINATION}/associations/set`, secrets[0], 'link-1');
    await post(`${DESTINATION}/associations/set-many`, { secrets }, 'link-2');
    await post(`${DESTINATION}/associations/remove-many`, { secrets }, 'link-3');
    const actionsOn = async (secret: string) =>
      (await entriesWith(sealift, { secret })).map((entry) => `${entry.action} ${entry['request-id']}`);
    const single = 'POST /sys/sync/destinations/:type/:name/associations/set link-1';
    const write = (await actionsOn('secret/links/one')).at(-1);
    expect(await actionsOn('secret/links/one')).to.deep.equal([
      'unlink link-3',
      'link link-2',
      single,
      write,
    ]);
    expect((await actionsOn('secret/links/two')).slice(0, 2)).to.deep.equal(['unlink link-3', 'link link-2']);
    const detailsOf = async (requestId: string) =>
      (await entriesWith(sealift, { 'request-id': requestId, action: 'link' })).map(({ detail }) => detail);
    expect(await detailsOf('link-2')).to.have.deep.members([
      { secret: 'secret/links/one' },
      { secret: 'secret/links/two', link: 'created' },
    ]);
    const history = await client.get(`${DESTINATION}/history`);
    const changes = history.body.data.history.map((line: { action: string }) => line.action);
    expect(changes).to.deep.equal(['unlink', 'link', 'link', 'replace']);
  });
});
