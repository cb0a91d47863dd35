import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

describe('a secret whose newest version is deleted', () => {
  let scene: Cloud1Scene;

  afterEach(() => scene.close());

  const outside = (): (string | null)[] => scene.fake.entries().map(({ value }) => value);
  const plan = async () => {
    const body = { mount: 'secret', secret_name: 'db' };
    return (await scene.sealift.client.post(`${scene.driver.path}/associations/plan`, body)).body.data;
  };

  async function play(on_latest_deleted: string): Promise<void> {
    scene = await openCloud1Scene({ settings: { on_latest_deleted } });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const v of [1, 2]) await scene.driver.write('db', { v });
    await scene.driver.associate('db');
    await scene.driver.settles('db', 'SYNCED');
    expect(await plan()).to.include({ source_version: 2, is_fallback: false });
    await scene.sealift.client.delete('/v1/secret/data/db');
  }

  it('the version before a deleted newest one is synced, which the plan tells', async () => {
    await play('previous');
    await eventually(() => outside()[0] === '{"v":1}');
    await scene.driver.settles('db', 'SYNCED');
    expect(await plan()).to.include({ source_version: 1, is_fallback: true });
  });

  it('an entry with on_latest_deleted remove goes, and comes back with a version', async () => {
    await play('remove');
    await eventually(() => outside().length === 0);
    await eventually(async () => {
      const [record] = await scene.driver.records('db');
      expect(record).to.include({ sync_status: 'UNSYNCED', source_version: null });
      return true;
    });
    expect(await plan()).to.include({ source_version: null, is_fallback: false });
    await scene.sealift.client.post('/v1/secret/undelete/db', { versions: [2] });
    await eventually(() => outside()[0] === '{"v":2}');
    await scene.sealift.client.delete('/v1/secret/data/db');
    await eventually(() => outside().length === 0);
    await scene.driver.write('db', { v: 3 });
    await eventually(() => outside()[0] === '{"v":3}');
    await scene.driver.settles('db', 'SYNCED');
  });
});
