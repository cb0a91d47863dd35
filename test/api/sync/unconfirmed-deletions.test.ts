import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('an unlinking whose deletion is not confirmed', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app', { user: 'app' });
    await scene.driver.associate('app');
    await scene.driver.settles('app', 'SYNCED');
  });
  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'app' };
  const post = async (what: string, more: object = body) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const verify = async () => (await post('associations/verify')).entries[0];
  const plan = async (more: object) => {
    const { secrets, look } = await post('plan', { secrets: [body], look: true, ...more });
    return { step: secrets[0].planned[0], unknown: look.unknown };
  };
  const failToDelete = async (): Promise<void> => {
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'DeleteSecret' });
    await post('associations/remove');
    await eventually(async () => {
      const [record] = await scene.driver.records('app');
      return expect(record?.cause?.code).to.equal('store_failed');
    });
  };

  it('an entry that could not be deleted is still there, and the plans say what is lost', async () => {
    await failToDelete();
    expect(await verify()).to.include({ state: 'undeleted', cause: null });
    const ours = await plan({ unlink: true });
    expect(ours.unknown).to.equal(0);
    expect(ours.step).to.include({
      action: 'delete',
      reason: 'this entry is still in the store with the value of v1; its deletion is not confirmed',
    });
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'app', value: 'of somebody else' });
    for (const [more, action] of [
      [{ unlink: true }, 'delete'],
      [{ only_seen: true }, 'update'],
    ] as const) {
      const { step, unknown } = await plan(more);
      expect(unknown).to.equal(0);
      expect(step).to.include({
        action,
        may_lose: true,
        reason:
          'this entry is still in the store; its deletion is not confirmed, and if someone changed it, that change is lost',
      });
    }
  });

  it('an entry that is gone is deleted already, and nobody is said to have deleted it', async () => {
    await failToDelete();
    scene.fake.discard('app');
    expect(await verify()).to.include({ state: 'deleted', cause: null });
    expect((await plan({ unlink: true })).step).to.include({
      action: 'unchanged',
      reason: 'this entry is deleted already, and Sealift makes sure of that',
    });
    expect((await plan({})).step).to.include({
      action: 'create',
      reason: 'this entry was deleted because the secret was unlinked',
    });
    scene.fake.clearFaults();
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
    await eventually(async () => {
      const [record] = await scene.driver.records('app');
      return record?.sync_status === 'UNSYNCING';
    });
    expect(await verify()).to.include({ state: 'deleted', cause: null });
    expect((await plan({ unlink: true })).step).to.include({ action: 'unchanged' });
    const { history } = expectOk(
      await scene.sealift.client.get(
        `${scene.driver.path}/associations/history?mount=secret&secret_name=app`,
      ),
    );
    expect(history.map(({ action }: { action: string }) => action)).to.not.include('missing');
  });
});
