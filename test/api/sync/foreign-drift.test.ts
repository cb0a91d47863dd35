import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openLinkedScene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const THEIRS = 'of somebody else';

describe('an entry that is no longer ours, though the ledger has it', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openLinkedScene();
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object = body) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const record = async () => (await scene.driver.records('one'))[0];
  const value = () => scene.fake.entries()[0]?.value;
  const isSeen = async (foreign: boolean): Promise<void> => {
    await post('associations/verify');
    await scene.driver.settles('one', 'DRIFTED');
    const { cause, drift } = (await record()) ?? {};
    expect(drift).to.include({ code: 'changed_outside', foreign });
    expect(cause).to.have.all.keys('class', 'code', 'message');
  };
  const makeAgain = (): void => {
    scene.fake.discard('one');
    scene.fake.plant({ name: 'one', value: THEIRS });
  };
  it('one that was deleted and made again is told as such, and no new version overwrites it', async () => {
    makeAgain();
    await isSeen(true);
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    expect(history[0].cause).to.have.all.keys('class', 'code', 'message');
    await scene.driver.write('one', { user: 'next' });
    await eventually(async () => expect((await record())?.cause?.code).to.equal('conflict'));
    expect(value()).to.equal(THEIRS);
  });

  it('a sync finds the same, and leaves what nobody has seen', async () => {
    makeAgain();
    await post('associations/set', { ...body, only_seen: true });
    await scene.driver.settles('one', 'DRIFTED');
    expect((await record())?.drift).to.include({ code: 'changed_outside', foreign: true });
    expect(value()).to.equal(THEIRS);
  });

  it('the plan of a sync says whose entry it overwrites, and a decision does that', async () => {
    makeAgain();
    await isSeen(true);
    const decided = { ...body, conflict_policy: 'overwrite', only_seen: true };
    const { secrets } = await post('plan', { secrets: [body], conflict_policy: 'overwrite', look: true });
    expect(secrets[0].planned[0]).to.include({
      action: 'overwrite',
      reason:
        'someone deleted this entry and made it again, or took our mark away, and what is there now would be lost',
    });
    await post('associations/set', decided);
    await scene.driver.settles('one', 'SYNCED');
    expect(value()).to.equal('{"user":"app"}');
    expect((await record())?.drift).to.equal(null);
  });

  for (const policy of ['refuse', 'overwrite'])
    it(`a version that waits for a pause says if it overwrites it by the policy ${policy}`, async () => {
      expectOk(await scene.driver.patch({ conflict_policy: policy }));
      await scene.driver.settles('one', 'SYNCED');
      makeAgain();
      await isSeen(true);
      await post('pause', {});
      await scene.driver.write('one', { user: 'next' });
      const { waiting } = (await record()) ?? {};
      expect(waiting).to.include({ cause: 'write', overwrites_drift: policy === 'overwrite' });
    });

  it('a change in an entry of ours is none of that, and a new version overwrites it', async () => {
    const [known] = scene.fake.entries();
    scene.fake.plant({ ...known, name: 'one', value: THEIRS });
    await isSeen(false);
    await scene.driver.write('one', { user: 'next' });
    await scene.driver.settles('one', 'SYNCED');
    expect(value()).to.equal('{"user":"next"}');
  });
});
