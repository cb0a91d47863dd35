import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { commandsOf } from './support.ts';

describe('the attempts at a destination by the command line', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene({ environment: { RETRY_MIN: '60000', RETRY_MAX: '60000' } });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  after(() => scene.close());

  const { run, json } = commandsOf(() => scene.sealift);

  it('`destination attempts` tells what was written to a store, of which secret, and why', async () => {
    expect((await run('destination attempts cloud1-sm/prod')).stdout).to.equal('no attempts\n');
    const { driver, fake } = scene;
    fake.plant({ name: 'app/taken', value: 'theirs' });
    for (const [name, status] of [
      ['app/db', 'SYNCED'],
      ['app/taken', 'CLIENT_SIDE_ERROR'],
    ] as const) {
      await driver.write(name, { user: 'first' });
      await driver.associate(name);
      await driver.settles(name, status);
    }
    const { stdout } = await run('destination attempts cloud1-sm/prod');
    expect(stdout).to.match(
      /^AT +SECRET [^]+ secret\/app\/taken +- +link by root +create +app\/taken +1 +CLIENT_SIDE_ERROR +conflict: [^]+ secret\/app\/db +- +link by root +create +app\/db +1 +SYNCED /,
    );
    const failed = await json('destination attempts cloud1-sm/prod --outcome failed --who root');
    expect(failed.attempts.map((one: { secret_name: string }) => one.secret_name)).to.deep.equal([
      'app/taken',
    ]);
    const first = await run('destination attempts cloud1-sm/prod --limit 1');
    const [, before = ''] = /there are more: --before (\d+)/.exec(first.stderr) ?? [];
    expect((await run(`destination attempts cloud1-sm/prod --before ${before}`)).stdout).to.not.contain(
      'app/taken',
    );
    expect((await run('destination attempts cloud1-sm/prod --limit 5000')).code).to.not.equal(0);
    expect((await run('destination attempts cloud1-sm/none')).code).to.equal(3);
  });

  it('a version that comes back because a newer one was deleted is told with that', async () => {
    const { driver, sealift } = scene;
    await driver.write('app/db', { user: 'second' });
    await driver.settles('app/db', 'SYNCED');
    expect((await sealift.client.delete('/v1/secret/data/app/db')).status).to.equal(204);
    await eventually(async () =>
      / v2 deleted by root +update +app\/db +1 +SYNCED /.test(
        (await run('association history cloud1-sm/prod secret/app/db')).stdout,
      ),
    );
  });
});
