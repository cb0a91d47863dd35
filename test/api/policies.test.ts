import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

type Rules = Record<string, string[]>;

describe('effects of policies', () => {
  let sealift: Sealift;
  let count = 0;
  before(async () => {
    sealift = await startSealift();
    for (const path of ['app/db', 'app/web', 'team/a/db', 'team/b/db', 'App/db', 'appendix']) {
      await sealift.client.post(`/v1/secret/data/${path}`, { data: { path } });
    }
  });
  after(() => sealift.stop());

  const documentOf = (rules: Rules) => ({
    path: Object.fromEntries(Object.entries(rules).map(([path, capabilities]) => [path, { capabilities }])),
  });

  async function tokenWith(...policies: Rules[]): Promise<string> {
    const names: string[] = [];
    for (const rules of policies) {
      count += 1;
      const answer = await sealift.client.post(`/v1/sys/policies/acl/p${count}`, documentOf(rules));
      expect(answer.status).to.equal(204);
      names.push(`p${count}`);
    }
    return (await sealift.client.post('/v1/auth/token/create', { policies: names })).body.auth.client_token;
  }

  async function statuses(token: string, method: string, paths: string[], body?: unknown): Promise<number[]> {
    const answers: number[] = [];
    for (const path of paths) answers.push((await sealift.client.call(method, path, body, { token })).status);
    return answers;
  }

  it('a list tells who changed each policy and how many have it, to whom may read who has it', async () => {
    const { client } = sealift;
    const token = await tokenWith({ 'sys/policies/acl': ['list'] });
    const name = `p${count}`;
    await client.post('/v1/sys/teams/listers', { policies: [name] });
    const listed = async (options = {}) =>
      (await client.get('/v1/sys/policies/acl?list=true&details=true', options)).body.data.key_info;
    const all = await listed();
    expect(all[name]).to.include({ changed_by: 'root', tokens: 1, roles: 1 });
    expect(Date.parse(all[name].changed_at)).to.be.closeTo(Date.now(), 60_000);
    expect(all.default).to.include({ changed_at: null, changed_by: null });
    expect((await listed({ token }))[name]).to.include({ changed_by: 'root', tokens: null, roles: null });
    expect((await client.get('/v1/sys/policies/acl?list=true')).body.data).to.have.all.keys('keys');
  });

  it('a list tells which policies read values, of those that the caller may read', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/policies/acl/reads', documentOf({ 'secret/data/app/*': ['read'] }));
    await client.post('/v1/sys/policies/acl/hidden', documentOf({ 'secret/data/*': ['read'] }));
    await client.post('/v1/sys/policies/acl/writes', documentOf({ 'secret/data/*': ['create'] }));
    const readingOf = async (options = {}) => {
      const path = '/v1/sys/policies/acl?list=true&reading=reads,hidden,writes,default,nowhere';
      return (await client.get(path, options)).body.data.reading_values;
    };
    expect(await readingOf()).to.deep.equal(['reads', 'hidden']);
    const token = await tokenWith({ 'sys/policies/acl': ['list'], 'sys/policies/acl/reads': ['read'] });
    expect(await readingOf({ token })).to.deep.equal(['reads']);
  });

  it('nothing is allowed that no rule allows, and a refusal does not tell what exists', async () => {
    const token = await tokenWith({ 'secret/data/app/*': ['read'] });
    const paths = [
      '/v1/secret/data/app/db',
      '/v1/secret/data/app/none',
      '/v1/secret/data/team/a/db',
      '/v1/secret/data/none',
    ];
    expect(await statuses(token, 'GET', paths)).to.deep.equal([200, 404, 403, 403]);
    const others = [
      '/v1/nowhere',
      '/v1/sys/nothing',
      '/v1/sys/mounts',
      '/v1/secret',
      '/v1/secret/metadata/app/db',
    ];
    expect(await statuses(token, 'GET', others)).to.deep.equal([403, 403, 403, 403, 403]);
    expect(await statuses(token, 'DELETE', paths)).to.deep.equal([403, 403, 403, 403]);
  });

  it('each method needs its own capability', async () => {
    const path = '/v1/secret/data/app/db';
    for (const [capability, allowed] of [
      ['read', 'GET'],
      ['patch', 'PATCH'],
      ['update', 'POST'],
      ['delete', 'DELETE'],
    ] as const) {
      const token = await tokenWith({ 'secret/data/app/db': [capability] });
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : { data: { a: 1 } };
        const { status } = await sealift.client.call(method, path, body, { token });
        const isAllowed = method === allowed || (method === 'PUT' && allowed === 'POST');
        expect(status !== 403, `${capability} ${method}`).to.equal(isAllowed);
        await sealift.client.post(path, { data: { path: 'app/db' } });
      }
    }
  });

  it('`create` is for what is not there, `update` for what is', async () => {
    const creator = await tokenWith({ 'secret/data/fresh/*': ['create'] });
    const updater = await tokenWith({ 'secret/data/fresh/*': ['update'] });
    const path = ['/v1/secret/data/fresh/one'];
    expect(await statuses(updater, 'POST', path, { data: {} })).to.deep.equal([403]);
    expect(await statuses(creator, 'POST', path, { data: {} })).to.deep.equal([200]);
    expect(await statuses(creator, 'POST', path, { data: {} })).to.deep.equal([403]);
    expect(await statuses(updater, 'POST', path, { data: {} })).to.deep.equal([200]);
  });

  it('`create` gives no right to change or end what is there', async () => {
    const { client } = sealift;
    const token = await tokenWith({ '*': ['create'] });
    await client.post('/v1/sys/policies/acl/kept', documentOf({}));
    const other = (await client.post('/v1/auth/token/create', { policies: ['kept'] })).body.auth;
    const calls: [string, unknown][] = [
      ['secret/delete/app/web', { versions: [1] }],
      ['secret/undelete/app/web', { versions: [1] }],
      ['secret/destroy/app/web', { versions: [1] }],
      ['secret/config', { max_versions: 1 }],
      ['sys/mounts/secret/tune', { description: 'x' }],
      ['sys/policies/acl/kept', documentOf({ '*': ['read'] })],
      ['sys/policy/Kept', documentOf({ '*': ['read'] })],
      ['sys/policies/acl/root', documentOf({})],
      ['auth/token/renew', { token: other.client_token, increment: '1h' }],
      ['auth/token/revoke', { token: other.client_token }],
      ['auth/token/revoke-accessor', { accessor: other.accessor }],
      ['sys/sync/destinations/aws-sm/prod/associations/remove', { mount: 'secret', secret_name: 'app/web' }],
    ];
    for (const [path, body] of calls) {
      expect((await client.post(`/v1/${path}`, body, { token })).status, path).to.equal(403);
    }
    const makes: [string, unknown][] = [
      ['sys/mounts/made', { type: 'kv' }],
      ['sys/policies/acl/made', documentOf({})],
      ['sys/namespaces/below', undefined],
      ['auth/token/create', {}],
    ];
    for (const [path, body] of makes) {
      const { status } = await client.post(`/v1/${path}`, body, { token });
      expect(status, path).to.be.oneOf([200, 204]);
    }
  });

  it('a rule allows a list with and without a slash at its end', async () => {
    const lists = ['/v1/secret/metadata', '/v1/secret/metadata/app', '/v1/secret/metadata/app/'];
    const may = async (rules: Rules) => statuses(await tokenWith(rules), 'LIST', lists);
    expect(await may({ 'secret/metadata/': ['list'] })).to.deep.equal([200, 403, 403]);
    expect(await may({ 'secret/metadata': ['list'] })).to.deep.equal([200, 403, 403]);
    expect(await may({ 'secret/metadata/*': ['list'] })).to.deep.equal([200, 200, 200]);
    expect(await may({ 'secret/metadata/app/': ['list'] })).to.deep.equal([403, 200, 200]);
    expect(await may({ 'secret/metadata/+': ['list'] })).to.deep.equal([403, 200, 200]);
    expect(await may({ 'secret/metadata/*': ['list'], 'secret/metadata/app/*': ['deny'] })).to.deep.equal([
      200, 403, 403,
    ]);
    expect(await may({ 'secret/metadata/*': ['read'] })).to.deep.equal([403, 403, 403]);
  });

  it('a `+` stands for one segment, a `*` at the end for any rest', async () => {
    const token = await tokenWith({ 'secret/data/team/+/db': ['read'], 'secret/data/app*': ['read'] });
    const paths = ['team/a/db', 'team/b/db', 'team/a/x/db', 'team/db', 'app/db', 'appendix', 'App/db'];
    const given = await statuses(
      token,
      'GET',
      paths.map((path) => `/v1/secret/data/${path}`),
    );
    expect(given).to.deep.equal([200, 200, 403, 403, 200, 200, 403]);
  });

  it('the most specific rule decides, over all policies of a token, and deny wins among equals', async () => {
    const paths = ['/v1/secret/data/app/db', '/v1/secret/data/app/web', '/v1/secret/data/team/a/db'];
    const may = async (...policies: Rules[]) => statuses(await tokenWith(...policies), 'GET', paths);
    expect(await may({ 'secret/*': ['read'], 'secret/data/app/*': ['deny'] })).to.deep.equal([403, 403, 200]);
    expect(await may({ 'secret/*': ['read'] }, { 'secret/data/app/db': ['deny'] })).to.deep.equal([
      403, 200, 200,
    ]);
    expect(await may({ 'secret/*': ['deny'] }, { 'secret/data/app/db': ['read'] })).to.deep.equal([
      200, 403, 403,
    ]);
    expect(await may({ 'secret/*': ['read'] }, { 'secret/*': ['deny'] })).to.deep.equal([403, 403, 403]);
    expect(await may({ 'secret/*': ['list'] }, { 'secret/*': ['read'] })).to.deep.equal([200, 200, 200]);
    expect(await may({ 'secret/data/app/db': ['read'], 'secret/data/+/db': ['deny'] })).to.deep.equal([
      200, 403, 403,
    ]);
    expect(await may({ '/secret/data/app/db': ['read'] })).to.deep.equal([200, 403, 403]);
    expect(await may({ 'secret/data/app/*': ['read', 'deny'] })).to.deep.equal([403, 403, 403]);
  });

  it('the later wildcard further right decides between rules that differ only in it', async () => {
    const path = ['/v1/secret/data/x/y'];
    const may = async (rules: Rules) => statuses(await tokenWith(rules), 'GET', path);
    expect(await may({ 'secret/+/x/+': ['read'], 'secret/+/+/y': ['deny'] })).to.deep.equal([404]);
    expect(await may({ 'secret/+/x/+': ['deny'], 'secret/+/+/y': ['read'] })).to.deep.equal([403]);
  });

  it('another spelling of a path gets around no rule', async () => {
    const token = await tokenWith({ 'secret/*': ['read'], 'secret/data/app/db': ['deny'] });
    const spellings = [
      '/secret/data/app/db',
      '/v1/secret/data/app/db/',
      '/v1/secret//data/app//db',
      '/v1/secret/data/app%2Fdb',
      '/v1/secret/data/%61pp/db',
      '/v1/%73ecret/data/app/db',
      '/v1//secret/data/app/db?version=1',
    ];
    for (const path of spellings) {
      expect((await sealift.client.get(path, { token })).status, path).to.be.oneOf([403, 404]);
      expect((await sealift.client.get(path, { token })).text, path).not.to.contain('data');
    }
    expect((await sealift.client.get('/v1/secret/subkeys/app/db', { token })).status).to.equal(200);
  });

  it('no endpoint answers a path in other letters, and no rule is bypassed with one', async () => {
    const token = await tokenWith({ '*': ['read', 'list'], 'sys/sync/config': ['deny'] });
    expect((await sealift.client.get('/v1/sys/sync/config', { token })).status).to.equal(403);
    for (const path of ['/v1/sys/sync/CONFIG', '/v1/sys/Sync/config', '/v1/SYS/sync/config']) {
      expect((await sealift.client.get(path, { token })).status, path).to.equal(404);
    }
    expect((await sealift.client.get('/v1/secret/DATA/app/db', { token })).status).to.equal(404);
  });

  it('a rule for a destination type is a rule for all its names', async () => {
    const names = ['cloud1-sm', 'aws-sm'];
    const paths = names.map((name) => `/v1/sys/sync/destinations/${name}/prod`);
    const may = async (rules: Rules) =>
      (await statuses(await tokenWith(rules), 'GET', paths)).map((status) => (status === 403 ? 'no' : 'yes'));
    expect(await may({ 'sys/sync/destinations/aws-sm/prod': ['read'] })).to.deep.equal(['yes', 'yes']);
    for (const denied of [
      'sys/sync/destinations/aws-sm/*',
      'sys/sync/destinations/aws*',
      'sys/sync/destinations/cloud1-sm/+',
    ]) {
      expect(await may({ 'sys/*': ['read'], [denied]: ['deny'] }), denied).to.deep.equal(['no', 'no']);
    }
  });

  it('a rule for a policy counts however its name is written, in the path and in the rule', async () => {
    const body = documentOf({ 'secret/*': ['read'] });
    for (const folder of ['sys/policies/acl', 'sys/policy']) {
      const rules: Rules = { [`${folder}/*`]: ['update'], [`${folder}/Admin`]: ['deny'] };
      const token = await tokenWith(rules);
      const paths = ['admin', 'ADMIN', 'Admin', 'team', 'TEAM'].map((name) => `/v1/${folder}/${name}`);
      await sealift.client.post(`/v1/${folder}/team`, body);
      expect(await statuses(token, 'POST', paths, body), folder).to.deep.equal([403, 403, 403, 204, 204]);
    }
  });

  it('a secret with the name of a destination keeps its own name', async () => {
    await sealift.client.post('/v1/secret/data/sys/sync/destinations/cloud1-sm/x', { data: {} });
    const token = await tokenWith({ 'secret/data/sys/sync/destinations/aws-sm/*': ['read'] });
    const path = ['/v1/secret/data/sys/sync/destinations/cloud1-sm/x'];
    expect(await statuses(token, 'GET', path)).to.deep.equal([403]);
  });

  it('a changed policy counts for existing tokens', async () => {
    const token = await tokenWith({ 'secret/data/app/db': ['read'] });
    const path = ['/v1/secret/data/app/db'];
    expect(await statuses(token, 'GET', path)).to.deep.equal([200]);
    await sealift.client.post(`/v1/sys/policies/acl/p${count}`, { path: {} });
    expect(await statuses(token, 'GET', path)).to.deep.equal([403]);
  });

  it('anybody learns what a policy would give before it is written', async () => {
    const token = await tokenWith({});
    const ask = (policy: string, path: string) =>
      sealift.client.post('/v1/sys/policies/preview', { policy, paths: [path] }, { token });
    const text = 'path "secret/data/app/*" { capabilities = ["read"] }';
    expect((await ask(text, 'secret/data/app/db')).body.data.capabilities).to.deep.equal(['read']);
    expect((await ask(text, 'secret/data/other')).body.data.capabilities).to.deep.equal(['deny']);
    const faulty = await ask('path "a" {\n capabilities = ["reed"]\n}', 'a');
    expect(faulty.status).to.equal(400);
    expect(faulty.body.errors[0]).to.include('line 2');
    expect((await sealift.client.get('/v1/secret/data/app/db', { token })).status).to.equal(403);
  });
});
