import { expect } from 'chai';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { cloud1Settings, cloud1Worker } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret } from './support.ts';

type Outcome = { secret_name: string; outcome: string; error: string | null };

const named = (...names: string[]) => names.map((secret_name) => ({ mount: 'secret', secret_name }));
const outcomesOf = (data: { secrets: Outcome[] }): string[][] =>
  data.secrets.map(({ secret_name: name, outcome }) => [name, outcome]);

describe('linking and unlinking many secrets at once', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { 'cloud1-sm': cloud1Worker(fake) } });
    await create(sealift.client, destinationPath('prod'), cloud1Settings());
    for (const name of ['app/a', 'app/b', 'app/c', 'other/d']) await putSecret(sealift.client, name);
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const post = (verb: string, body: object, options = {}) =>
    sealift.client.post(`${destinationPath('prod')}/associations/${verb}`, body, options);
  const outside = (): string[] =>
    fake
      .entries()
      .map(({ name }) => name)
      .toSorted();

  it('each secret has its own outcome, and one that cannot be linked keeps no other back', async () => {
    const data = expectOk(await post('set-many', { secrets: named('app/a', 'absent', 'app/b', 'bad/') }));
    expect(outcomesOf(data)).to.deep.equal([
      ['app/a', 'linked'],
      ['absent', 'refused'],
      ['app/b', 'linked'],
      ['bad/', 'refused'],
    ]);
    expect(data.secrets[1].error).to.include('there is no secret absent');
    expect(data.totals).to.deep.equal({ linked: 2, refused: 2 });
    await eventually(() => outside().join() === 'app/a,app/b');
    const again = expectOk(await post('set-many', { secrets: named('app/a', 'app/b') }));
    expect(again.totals).to.deep.equal({ refreshed: 2 });
    expect(outside()).to.deep.equal(['app/a', 'app/b']);
  });

  it('all secrets with a prefix are linked, but for those that the caller may not read', async () => {
    const { client } = sealift;
    const path = {
      'sys/sync/destinations/*': { capabilities: ['create', 'update'] },
      'secret/data/app/a': { capabilities: ['read'] },
      'secret/data/app/b': { capabilities: ['read'] },
    };
    const listing = { ...path, 'secret/metadata/app': { capabilities: ['list'] } };
    await client.post('/v1/sys/policies/acl/linker', { path });
    await client.post('/v1/sys/policies/acl/lister', { path: listing });
    const made = await client.post('/v1/auth/token/create', { policies: ['linker'] });
    const token = made.body.auth.client_token;
    const data = expectOk(await post('set-many', { mount: 'secret', prefix: 'app/' }, { token }));
    expect(outcomesOf(data)).to.deep.equal([
      ['app/a', 'linked'],
      ['app/b', 'linked'],
    ]);
    expect(data.next_after).to.equal(null);
    expect(JSON.stringify(data)).to.not.include('app/c');
    await eventually(() => outside().join() === 'app/a,app/b');
    const lister = await client.post('/v1/auth/token/create', { policies: ['lister'] });
    const own = { token: lister.body.auth.client_token };
    const listed = expectOk(await post('set-many', { mount: 'secret', prefix: 'app/' }, own));
    expect(outcomesOf(listed).at(-1)).to.deep.equal(['app/c', 'refused']);
  });

  it('a prefix of many secrets is linked in pages, and none is left out', async () => {
    const { db } = sealift.context;
    const mount = await db('mounts').first('id');
    const paths = Array.from({ length: 510 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
    await db('secrets').insert(paths.map((path) => ({ mount_id: mount.id, path, current_version: 0 })));
    const first = expectOk(await post('set-many', { mount: 'secret', prefix: 'many/' }));
    expect(first.secrets).to.have.length(500);
    expect(JSON.stringify(first.next_after)).to.not.include('many');
    const rest = expectOk(
      await post('set-many', { mount: 'secret', prefix: 'many/', after: first.next_after }),
    );
    expect(rest.secrets.map(({ secret_name: name }: Outcome) => name)).to.deep.equal(paths.slice(500));
    expect(rest.next_after).to.equal(null);
  });

  it('many are unlinked by name, and one that is not linked is no fault', async () => {
    expectOk(await post('set-many', { secrets: named('app/a', 'app/b', 'app/c') }));
    await eventually(() => outside().length === 3);
    const data = expectOk(await post('remove-many', { secrets: named('app/a', 'never', 'app/c') }));
    expect(outcomesOf(data)).to.deep.equal([
      ['app/a', 'removing'],
      ['never', 'absent'],
      ['app/c', 'removing'],
    ]);
    await eventually(() => outside().join() === 'app/b');
    expect(expectOk(await post('remove-many', { secrets: named('app/a') })).totals.removing).to.not.equal(2);
  });

  it('many are unlinked by a filter, and never all without saying so', async () => {
    expectOk(await post('set-many', { mount: 'secret' }));
    await eventually(() => outside().length === 4);
    expect(expectRefused(await post('remove-many', {}), 400)).to.include('all: true');
    expectRefused(await post('remove-many', { prefix: '', all: false }), 400);
    const some = expectOk(await post('remove-many', { prefix: 'secret/app/' }));
    expect(some.totals).to.deep.equal({ removing: 3 });
    await eventually(() => outside().join() === 'other/d');
    const rows = async () =>
      expectOk(await sealift.client.get(`${destinationPath('prod')}/associations/rows`)).rows as object[];
    await eventually(async () => (await rows()).length === 1);
    expect(expectOk(await post('remove-many', { all: true })).totals).to.deep.equal({ removing: 1 });
    await eventually(() => outside().length === 0);
  });

  it('too many names, and a destination that is not there, are refused as a whole', async () => {
    const many = named(...Array.from({ length: 501 }, (_, index) => `s/${index}`));
    expectRefused(await post('set-many', { secrets: many }), 400);
    expectRefused(await post('set-many', {}), 400);
    const nowhere = `${destinationPath('absent')}/associations`;
    for (const verb of ['set-many', 'remove-many'])
      expectRefused(await sealift.client.post(`${nowhere}/${verb}`, { secrets: named('app/a') }), 404);
    expect(outside()).to.deep.equal([]);
  });

  it('a failure in between is told, beside what was done before', async () => {
    const { db } = sealift.context;
    await db.raw(`ALTER TABLE association_keys ADD CONSTRAINT broken CHECK (secret_path <> 'app/b')`);
    const data = expectOk(await post('set-many', { secrets: named('app/a', 'app/b', 'app/c') }));
    expect(outcomesOf(data)).to.deep.equal([
      ['app/a', 'linked'],
      ['app/b', 'unknown'],
      ['app/c', 'not_tried'],
    ]);
    expect((await post('set-many', { secrets: named('app/b') })).status).to.equal(500);
    await db.raw('ALTER TABLE association_keys DROP CONSTRAINT broken');
    const again = expectOk(await post('set-many', { secrets: named('app/a', 'app/b', 'app/c') }));
    expect(again.totals).to.deep.equal({ refreshed: 1, linked: 2 });
  });
});
