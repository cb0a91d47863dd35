import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

describe('a row that somebody holds', function () {
  this.timeout(60_000);
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  after(() => scene.close());

  it('keeps the results of nobody else from being stored, and its own only as long as it is held', async () => {
    const { sealift, driver } = scene;
    const others = createSyncDriver(sealift, 'cloud1-sm', 'others');
    await others.configure({ ...cloud1Settings(), secret_name_template: 'others/{{ .SecretPath }}' });
    for (const one of [driver, others])
      for (const secret of ['a', 'b']) {
        await one.write(secret, { v: 1 });
        await one.associate(secret);
        await one.settles(secret, 'SYNCED');
      }
    const [held] = await sealift.context.db('entries').where({ external_name: 'a' }).select('id');
    await sealift.context.db.transaction(async (lock) => {
      await lock('entries').where({ id: held.id }).forUpdate();
      for (const secret of ['a', 'b']) await driver.write(secret, { v: 2 });
      const isStored = async (): Promise<true> => {
        for (const one of [others, driver]) {
          const [record] = await one.records('b');
          expect(record).to.include({ sync_status: 'SYNCED', synced_version: 3 });
        }
        return true;
      };
      await eventually(isStored, { limitMs: 8000 });
      const [record] = await driver.records('a');
      expect(record?.synced_version).to.equal(2);
    });
    await driver.settles('a', 'SYNCED');
    expect((await driver.records('a'))[0]?.synced_version).to.equal(3);
  });
});
