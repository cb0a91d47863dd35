import { expect } from 'chai';
import type { AttemptAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

const KEYS = { ALPHA: 'a', BETA: 'b', GAMMA: 'c' };
const BROKEN = { kind: 'error', status: 503 } as const;

type Scene = Pick<Cloud1Scene, 'sealift' | 'driver'>;

async function newestOf({ sealift, driver }: Scene, key: string): Promise<AttemptAnswer | undefined> {
  const path = `${driver.path}/associations/history?mount=secret&secret_name=app`;
  const { history } = expectOk(await sealift.client.get(path)) as { history: AttemptAnswer[] };
  return history.find(({ sub_key: one }) => one === key);
}

async function ends(scene: Scene, key: string, action: string): Promise<AttemptAnswer> {
  return eventually(async () => {
    await scene.sealift.context.db('associations').whereNull('lease_token').update({ due_at: new Date() });
    const newest = await newestOf(scene, key);
    expect(newest?.action).to.equal(action);
    if (!newest) throw new Error(`no line about ${key}`);
    return newest;
  });
}

async function failsToDelete(scene: Scene, key: string): Promise<void> {
  await eventually(async () => {
    const newest = await newestOf(scene, key);
    return expect([newest?.action, newest?.outcome]).to.deep.equal(['delete', 'EXTERNAL_SERVICE_ERROR']);
  });
}

describe('the history of a deletion that failed and ends without a further call', () => {
  describe('at a store whose entries have a mark', () => {
    let scene: Cloud1Scene;

    beforeEach(async () => {
      const template = '{{ .SecretPath }}/{{ .SecretKey }}';
      scene = await openCloud1Scene({
        environment: { CALL_TIMEOUT: '2000', LEASE: '4000' },
        settings: { secret_name_template: template, granularity: 'secret-key' },
      });
      await scene.sealift.start('worker', cloud1Worker(scene.fake));
      await scene.driver.write('app', KEYS);
    });
    afterEach(() => scene.close());

    it('an entry of somebody else is told as left once the store answers again', async () => {
      scene.fake.plant({ name: 'app/BETA', value: 'theirs' });
      await scene.driver.associate('app');
      await eventually(async () => {
        const statuses = (await scene.driver.records('app')).map(({ sync_status: status }) => status);
        return expect(statuses.toSorted()).to.deep.equal(['CLIENT_SIDE_ERROR', 'SYNCED', 'SYNCED']);
      });
      scene.fake.addFault(BROKEN);
      // Whether this creates the entry nobody learns.
      await scene.driver.write('app', { ...KEYS, BETA: 'b2' });
      await eventually(async () => {
        const newest = await newestOf(scene, 'BETA');
        return expect(newest?.outcome).to.equal('EXTERNAL_SERVICE_ERROR');
      });
      await scene.driver.dissociate('app');
      await failsToDelete(scene, 'BETA');
      scene.fake.clearFaults();
      const left = await ends(scene, 'BETA', 'none');
      expect(left).to.include({ outcome: 'UNSYNCED' });
      expect(left.cause?.code).to.equal('conflict');
      expect(left.cause?.message).to.equal('the entry with this name is not ours; it was left in the store');
      expect(scene.fake.entries().find(({ name }) => name === 'app/BETA')?.value).to.equal('theirs');
    });

    it('an entry that the store no longer has is told as gone, not as left', async () => {
      await scene.driver.associate('app');
      await scene.driver.settles('app', 'SYNCED');
      scene.fake.addFault(BROKEN);
      await scene.driver.dissociate('app');
      await failsToDelete(scene, 'ALPHA');
      scene.fake.discard('app/ALPHA');
      scene.fake.clearFaults();
      const gone = await ends(scene, 'ALPHA', 'gone');
      expect(gone.cause).to.equal(null);
    });

    it('an entry that stays because of a new policy is told as left', async () => {
      await scene.driver.associate('app');
      await scene.driver.settles('app', 'SYNCED');
      scene.fake.addFault(BROKEN);
      await scene.driver.dissociate('app');
      await failsToDelete(scene, 'ALPHA');
      expectOk(await scene.driver.patch({ deletion_policy: 'retain' }));
      scene.fake.clearFaults();
      expect((await ends(scene, 'ALPHA', 'none')).cause).to.equal(null);
      expect(scene.fake.entries().map(({ name }) => name)).to.include('app/ALPHA');
    });
  });

  describe('at Vercel', () => {
    let scene: VercelScene;

    beforeEach(async () => {
      scene = await openVercelScene();
      const template = '{{ .SecretKey | uppercase }}';
      const settings = { secret_name_template: template, granularity: 'secret-key' };
      await scene.driver.configure({ ...vercelSettings('production'), ...settings });
      await scene.driver.write('app', KEYS);
      await scene.driver.associate('app');
      await scene.driver.settles('app', 'SYNCED');
    });
    afterEach(() => scene.close());

    it('an entry that was never written again is told as gone', async () => {
      const { client } = scene.sealift;
      await client.delete('/v1/secret/data/app');
      await eventually(() => expect(scene.fake.entries()).to.have.length(0));
      await scene.driver.settles('app', 'UNSYNCED');
      scene.fake.addFault(BROKEN);
      await client.post('/v1/secret/undelete/app', { versions: [1] });
      await eventually(async () => {
        const newest = await newestOf(scene, 'GAMMA');
        return expect(newest?.outcome).to.equal('EXTERNAL_SERVICE_ERROR');
      });
      await client.post('/v1/secret/destroy/app', { versions: [1] });
      await failsToDelete(scene, 'GAMMA');
      scene.fake.clearFaults();
      for (const key of Object.keys(KEYS)) expect((await ends(scene, key, 'gone')).cause).to.equal(null);
    });
  });
});
