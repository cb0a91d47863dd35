import { expect } from 'chai';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { commandsOf } from './support.ts';

const TEMPLATE = '{{.SecretPath}}/{{.SecretKey}}';

describe('links by the command line', () => {
  // Each verb runs in its own process.
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.patch({ granularity: 'secret-key', secret_name_template: TEMPLATE });
    await scene.driver.write('app/one', { user: 'a', password: 'b', port: 'c' });
    await scene.driver.write('app/two', { user: 'a', password: 'b' });
    for (const name of ['app/one', 'app/two']) await scene.driver.associate(name);
    await scene.driver.settles('app/one', 'SYNCED');
    await scene.driver.settles('app/two', 'SYNCED');
  });
  after(() => scene.close());

  const { run, json } = commandsOf(() => scene.sealift);
  const summary = async () => (await scene.sealift.client.get('/v1/sys/sync/summary')).body.data;

  it('`status` counts a secret with many keys once, in its worst status, as the summary does', async () => {
    const good = await run('status');
    expect(good.stdout).to.match(/^DESTINATION +LINKS +SYNCED\ncloud1-sm\/prod +2 +2\n$/);
    const { total, by_status: counts } = await summary();
    expect([total, counts]).to.deep.equal([2, { SYNCED: 2 }]);
    const failure = { class: 'CLIENT_SIDE_ERROR', code: 'permission_missing', message: 'No right.' };
    const { db } = scene.sealift.context;
    const row = { external_name: 'app/one/port' };
    await db('entries')
      .where(row)
      .update({ status: failure.class, cause: JSON.stringify(failure) });
    const bad = await json('status');
    expect(bad).to.include({ total: 2, settled: 1, waiting: 0, failed: 1 });
    expect(bad.destinations[0].causes).to.deep.equal({ permission_missing: 1 });
    expect((await run('status')).stdout).to.match(/WHY\ncloud1-sm\/prod .* 1 permission_missing\n$/);
    expect(bad.destinations[0].statuses).to.deep.equal((await summary()).by_status);
    await db('entries').where(row).update({ status: 'SYNCED', cause: null });
  });

  it('`destination plan` counts an entry that gets another name once, and shows both names', async () => {
    const { stdout } = await run(
      'destination plan cloud1-sm/prod secret_name_template=n/{{.SecretPath}}/{{.SecretKey}}',
    );
    const [counts, , first] = stdout.split('\n');
    expect(counts).to.equal('5 to rename');
    expect(first).to.match(
      /^secret\/app\/one +password +n\/app\/one\/password +rename +instead of app\/one\/password$/,
    );
  });

  it('`association set` and `plan` take a name for one link alone, and an empty one gives it up', async () => {
    const words = 'cloud1-sm/prod secret/app/two --name-template own/{{.SecretKey}}';
    const planned = await run(`association plan ${words}`);
    expect(planned.stdout).to.match(/^2 to rename\n/);
    const made = await json(`association set ${words}`);
    expect(
      Object.values<{ secret_name_template: string }>(made.associated_secrets).map(
        (one) => one.secret_name_template,
      ),
    ).to.deep.equal(['own/{{.SecretKey}}', 'own/{{.SecretKey}}']);
    await scene.driver.settles('app/two', 'SYNCED');
    const given = await json('association set cloud1-sm/prod secret/app/two --name-template=');
    expect(JSON.stringify(given)).to.include('"secret_name_template":null');
  });
});
