import { expect } from 'chai';
import { readColumns } from '../../attack/tables.ts';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { cloud1Settings, cloud1Worker } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

type Step = { external_name: string; former_name?: string; action: string; reason: string | null };
type Planned = { secret_name: string; planned: Step[]; error: string | null };

const secret = (secret_name: string) => ({ mount: 'secret', secret_name });

describe('a destination before it is stored', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { 'cloud1-sm': cloud1Worker(fake) } });
    for (const name of ['app/db', 'app/pay', 'app/web'])
      await putSecret(sealift.client, name, { user: name });
  });

  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const call = (name: string, verb: string, body: object, options = {}) =>
    sealift.client.post(`${destinationPath(name)}/${verb}`, body, options);
  const destinations = async (): Promise<number> =>
    (await sealift.context.db('destinations').select('id')).length;
  const actionsOf = (secrets: Planned[]): unknown[] =>
    secrets.flatMap(({ planned }) => planned.map((step) => [step.external_name, step.action]));

  it('credentials are tried with the settings of the call, and nothing is stored', async () => {
    const good = expectOk(await call('new', 'check', cloud1Settings()));
    expect(good).to.include({ ok: true, cause: null });
    expect(good.ms).to.be.a('number');
    fake.revoke('AKIADRAFTDEAD');
    const body = { ...cloud1Settings(), access_key_id: 'AKIADRAFTDEAD', secret_access_key: 'a-draft-secret' };
    const bad = expectOk(await call('new', 'check', body));
    expect(bad.ok).to.equal(false);
    expect(bad.cause.code).to.match(/^credentials_/);
    expect(JSON.stringify(bad)).to.not.match(/a-draft-secret|AKIADRAFTDEAD/);
    expect(await destinations()).to.equal(0);
    for await (const { place, bytes } of readColumns(sealift.context.db))
      expect(bytes.includes('a-draft-secret'), place).to.equal(false);
  });

  it('a wrong setting is refused as it would be when it is stored', async () => {
    const answer = await call('new', 'check', { ...cloud1Settings(), region: 'Not A Region' });
    expect(expectRefused(answer, 400)).to.include('region');
    expect((await call('new', 'check', {})).status).to.equal(404);
    expect((await call('new', 'plan', { secrets: [secret('app/db')] })).status).to.equal(404);
  });

  it('a draft is answered with 503 where no worker of its type runs', async () => {
    const path = destinationPath('new', 'repo-host');
    expectRefused(await sealift.client.post(`${path}/check`, repository), 503);
    const body = { destination: repository, secrets: [secret('app/db')] };
    for (const look of [true, false])
      expectRefused(await sealift.client.post(`${path}/plan`, { ...body, look }), 503);
  });

  it('whoever may only check or plan tries no settings of his own', async () => {
    const { client } = sealift;
    const rules = (more: object) => ({
      path: {
        'sys/sync/destinations/cloud1-sm/new/*': { capabilities: ['create', 'update'] },
        'secret/data/*': { capabilities: ['read'] },
        ...more,
      },
    });
    await client.post('/v1/sys/policies/acl/checker', rules({}));
    await client.post(
      '/v1/sys/policies/acl/maker',
      rules({ 'sys/sync/destinations/cloud1-sm/new': { capabilities: ['create'] } }),
    );
    const tokenOf = async (policy: string): Promise<string> =>
      (await client.post('/v1/auth/token/create', { policies: [policy] })).body.auth.client_token;
    const [checker, maker] = [await tokenOf('checker'), await tokenOf('maker')];
    const body = cloud1Settings();
    expect(expectRefused(await call('new', 'check', body, { token: checker }), 403)).to.include('create');
    expectRefused(await call('new', 'plan', { destination: body, secrets: [] }, { token: checker }), 403);
    expectOk(await call('new', 'check', body, { token: maker }));
  });

  it('a plan with a look sees what somebody else has in the store, and writes nothing', async () => {
    fake.plant({ name: 'app/pay', value: 'theirs' });
    const body = { destination: cloud1Settings(), secrets: ['app/db', 'app/pay'].map(secret) };
    const blind = expectOk(await call('new', 'plan', body));
    expect(blind.look).to.equal(null);
    expect(actionsOf(blind.secrets)).to.deep.equal([
      ['app/db', 'create'],
      ['app/pay', 'create'],
    ]);
    const seen = expectOk(await call('new', 'plan', { ...body, look: true }));
    expect(actionsOf(seen.secrets)).to.deep.equal([
      ['app/db', 'create'],
      ['app/pay', 'conflict'],
    ]);
    expect(seen.secrets[1].planned[0].reason).to.match(
      /is not managed by Sealift; it is left alone, and the link fails/,
    );
    expect(seen).to.deep.include({
      totals: { create: 1, conflict: 1 },
      look: { entries: 2, unknown: 0, cause: null, causes: [] },
    });
    expect(JSON.stringify(seen)).to.not.include('theirs');

    const overwriting = { ...body, destination: { ...cloud1Settings(), conflict_policy: 'overwrite' } };
    const taken = expectOk(await call('new', 'plan', { ...overwriting, look: true }));
    expect(taken.totals).to.deep.equal({ create: 1, overwrite: 1 });
    expect(await destinations()).to.equal(0);
    expect(fake.entries().map(({ name, value }) => [name, value])).to.deep.equal([['app/pay', 'theirs']]);
  });

  it('a plan does not say of what the store did not tell that it would be written', async () => {
    fake.addFault({ kind: 'error', status: 500, target: 'app/db' });
    const body = { destination: cloud1Settings(), secrets: ['app/db', 'app/web'].map(secret), look: true };
    const seen = expectOk(await call('new', 'plan', body));
    fake.clearFaults();
    expect(actionsOf(seen.secrets)).to.deep.equal([
      ['app/db', 'unknown'],
      ['app/web', 'create'],
    ]);
    expect(seen.look).to.include({ entries: 2, unknown: 1 });
    expect(seen.look.cause.class).to.equal('EXTERNAL_SERVICE_ERROR');
  });

  it('a secret that cannot be planned is named, and the others are planned all the same', async () => {
    const body = { destination: cloud1Settings(), secrets: ['absent', 'app/web'].map(secret) };
    const { secrets, totals } = expectOk(await call('new', 'plan', body));
    expect(secrets[0].error).to.include('there is no secret absent');
    expect(totals).to.deep.equal({ create: 1, error: 1 });
    const many = Array.from({ length: 101 }, (_, index) => secret(`s/${index}`));
    expectRefused(await call('new', 'plan', { destination: cloud1Settings(), secrets: many }), 400);
  });

  it('a change of a destination is planned for its links, with its stored credentials', async () => {
    const { client } = sealift;
    await create(client, destinationPath('stored'), { ...cloud1Settings('eu-west-3') });
    expectOk(await set(client, destinationPath('stored'), 'app/web', { headers: {} }));
    await eventually(() => fake.entries().some(({ region }) => region === 'eu-west-3'));
    const plan = async (destination: object): Promise<unknown[]> =>
      actionsOf(expectOk(await call('stored', 'plan', { destination })).secrets);
    expect(await plan({})).to.deep.equal([['app/web', 'unchanged']]);
    expect(await plan({ custom_tags: { team: 'web' } })).to.deep.equal([['app/web', 'update']]);
    expect(await plan({ secret_name_template: 'new/{{ .SecretPath }}' })).to.deep.equal([
      ['new/app/web', 'rename'],
    ]);
    expect(expectOk(await call('stored', 'check', { custom_tags: {} }))).to.include({ ok: true });
    expect(expectRefused(await call('stored', 'check', { region: 'us-east-1' }), 400)).to.match(/region/);
    const stored = expectOk(await client.get(destinationPath('stored')));
    expect(stored.options).to.deep.include({ custom_tags: {}, secret_name_template: '{{ .SecretPath }}' });
  });

  it('a call about what must be new is refused where a destination has its name', async () => {
    const isNew = { 'if-none-match': '*' };
    const body = cloud1Settings('us-east-1');
    const calls: [verb: string, body: object][] = [
      ['check', body],
      ['check', {}],
      ['plan', { destination: body, secrets: [] }],
      ['plan', {}],
      ['preview', {}],
    ];
    for (const [verb, sent] of calls) {
      const refused = await call('stored', verb, sent, { headers: isNew });
      expect(expectRefused(refused, 412), verb).to.include('the name is taken: the destination');
    }
    expectOk(await call('free', 'check', body, { headers: isNew }));
    expect((await call('free', 'check', {}, { headers: isNew })).status).to.equal(200);
    expectOk(await call('free', 'plan', { destination: body, secrets: [] }, { headers: isNew }));
    expectOk(await call('free', 'preview', {}, { headers: isNew }));
  });

  it('whoever may only create is told of a taken name', async () => {
    const { client } = sealift;
    const path = { 'sys/sync/destinations/cloud1-sm/*': { capabilities: ['create'] } };
    await client.post('/v1/sys/policies/acl/creator', { path });
    const made = await client.post('/v1/auth/token/create', { policies: ['creator'] });
    const options = { token: made.body.auth.client_token, headers: { 'if-none-match': '*' } };
    const body = cloud1Settings();
    expectRefused(await call('stored', 'check', body, options), 412);
    expectRefused(await client.post(destinationPath('stored'), body, options), 412);
    expectRefused(await client.post(destinationPath('stored'), body, { token: options.token }), 403);
  });

  it('a stored credential is not tried at another address', async () => {
    const path = destinationPath('elsewhere', 'repo-host');
    await create(sealift.client, path, { ...repository, enterprise_url: 'https://github.one.example' });
    const body = { enterprise_url: 'https://github.two.example' };
    for (const [verb, sent] of [
      ['check', body],
      ['plan', { destination: body, secrets: [], look: true }],
    ] as const) {
      const answer = await sealift.client.post(`${path}/${verb}`, sent);
      expect(expectRefused(answer, 400)).to.include('access_token must be sent again');
    }
  });

  it('a plan of one secret looks at the store too', async () => {
    await create(sealift.client, destinationPath('looks'), cloud1Settings());
    const plan = async (look: boolean) =>
      expectOk(await call('looks', 'associations/plan', { ...secret('app/pay'), look }));
    expect((await plan(false)).planned[0]).to.include({ action: 'create' });
    expect((await plan(true)).planned[0]).to.include({ action: 'conflict' });
  });

  it('names are previewed without reading a value or asking the store', async () => {
    const before = fake.calls().length;
    const body = {
      secret_name_template: '{{ .MountAccessor }}/{{ .SecretPath }}',
      secrets: [secret('app/db'), secret('app/a b'), secret('not/there')],
    };
    const { names } = expectOk(await call('new', 'preview', body));
    const shown = names.map(({ external_name: name }: { external_name: string }) =>
      name.replace(/^\w+/, 'kv'),
    );
    expect(shown).to.deep.equal(['kv/app/db', 'kv/app/a_b', 'kv/not/there']);
    const keys = { ...body, granularity: 'secret-key', secret_name_template: '{{ .SecretKey }}' };
    expect(expectOk(await call('new', 'preview', keys)).names[0]).to.include({ external_name: 'password' });
    const wrong = await call('new', 'preview', { secret_name_template: '{{ .Nothing }}' });
    expect(expectRefused(wrong, 400)).to.include('unknown placeholder .Nothing');
    expect(fake.calls()).to.have.length(before);
  });

  it('a preview without secrets shows some that the caller may read', async () => {
    const { client } = sealift;
    const path = {
      'sys/sync/destinations/*': { capabilities: ['create', 'update'] },
      'secret/data/app/pay': { capabilities: ['read'] },
    };
    await client.post('/v1/sys/policies/acl/previewer', { path });
    const made = await client.post('/v1/auth/token/create', { policies: ['previewer'] });
    const token = made.body.auth.client_token;
    const { names } = expectOk(await call('new', 'preview', {}, { token }));
    expect(names.map((one: { secret_name: string }) => one.secret_name)).to.deep.equal(['app/pay']);
    expect(expectOk(await call('new', 'preview', {})).names).to.have.length(3);
  });

  it('an entry that gets another name is counted once, by key or if it is the only one', async () => {
    const { client } = sealift;
    const path = destinationPath('renames');
    await create(client, path, { ...cloud1Settings('eu-north-1') });
    await putSecret(client, 'app/two', { a: '1', b: '2' });
    for (const name of ['app/web', 'app/two']) expectOk(await set(client, path, name, { headers: {} }));
    const plan = async (destination: object) => {
      const { secrets, totals } = expectOk(await call('renames', 'plan', { destination }));
      return { totals, former: secrets.map(({ planned }: Planned) => planned.map((one) => one.former_name)) };
    };
    // The store has an entry a little earlier than the ledger, by which a plan goes.
    const settled = (unchanged: number) =>
      eventually(async () => {
        expect((await plan({})).totals).to.deep.equal({ unchanged });
        return true;
      });
    await settled(2);
    expect(await plan({ secret_name_template: 'new/{{ .SecretPath }}' })).to.deep.equal({
      totals: { rename: 2 },
      former: [['app/two'], ['app/web']],
    });
    const byKey = { granularity: 'secret-key', secret_name_template: 'k/{{ .SecretPath }}/{{ .SecretKey }}' };
    // Several entries are no rename.
    expect((await plan(byKey)).totals).to.deep.equal({ create: 2, delete: 1, rename: 1 });
    expect((await call('renames', 'plan', { destination: byKey })).text).to.include('value of one key alone');
    const headers = { 'content-type': 'application/merge-patch+json' };
    expectOk(await client.patch(path, byKey, { headers }));
    await settled(3);
    expect(await plan({ secret_name_template: 'n/{{ .SecretPath }}/{{ .SecretKey }}' })).to.deep.equal({
      totals: { rename: 3 },
      former: [['k/app/two/a', 'k/app/two/b'], ['k/app/web/user']],
    });
    const retained = {
      deletion_policy: 'retain',
      secret_name_template: 'n/{{ .SecretPath }}/{{ .SecretKey }}',
    };
    expect((await plan(retained)).totals).to.deep.equal({ create: 3, retain: 3 });
  });

  it('a plan that is too large for one reply of a worker is complete', async () => {
    const { client } = sealift;
    const data = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key-${index}`, 'x']));
    const names = ['a', 'b', 'c'].map((name) => `large/${name}`);
    for (const name of names) await putSecret(client, name, data);
    const template = `{{ .SecretPath }}/${'n'.repeat(400)}/{{ .SecretKey }}`;
    const body = {
      destination: { ...cloud1Settings(), granularity: 'secret-key', secret_name_template: template },
      secrets: [...names, 'app/web'].map(secret),
      look: true,
    };
    const { secrets, totals, look } = expectOk(await call('new', 'plan', body));
    expect(secrets.map(({ planned }: Planned) => planned.length)).to.deep.equal([3000, 3000, 3000, 1]);
    expect(totals).to.deep.equal({ create: 200, unknown: 8801 });
    expect(look).to.deep.include({ entries: 9001, unknown: 8801 });
  });
});
