import { expect } from 'chai';
import type { AttemptAnswer, RecordAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const OURS = { user: 'app' };
const THEIRS = { user: 'theirs' };

describe('a change in a store that somebody saves as a new version', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('one', OURS);
    await scene.driver.associate('one');
    await scene.driver.settles('one', 'SYNCED');
    changeOutside(THEIRS);
    expect(await verify()).to.equal('drifted');
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const verify = async (): Promise<string> => (await post('associations/verify', body)).entries[0].state;
  const record = async (): Promise<RecordAnswer | undefined> => (await scene.driver.records('one'))[0];
  const planned = async () => (await post('plan', { secrets: [body], look: true })).secrets[0].planned[0];
  const incidents = async (): Promise<unknown[]> =>
    expectOk(await scene.sealift.client.get('/v1/sys/sync/incidents?open=true')).incidents;
  const stored = (): unknown => JSON.parse(String(scene.fake.entries()[0]?.value));
  // Changes the value like somebody who edits the entry: it stays the same entry.
  const changeOutside = (value: object): void =>
    scene.fake.plant({ ...scene.fake.entries()[0], name: 'one', value: JSON.stringify(value) });
  const resume = async (): Promise<void> => {
    await post('resume', {});
    await scene.driver.settles('one', 'SYNCED');
  };

  it('nothing of it would be lost once a comparison has seen that, and it is still written', async () => {
    await scene.driver.write('one', THEIRS);
    expect((await record())?.waiting?.overwrites_drift).to.equal(true);
    expect(await incidents()).to.have.length(1);
    expect(await verify()).to.equal('in_sync');
    expect(await record()).to.deep.include({ sync_status: 'PENDING', drift: null, synced_version: 2 });
    expect((await record())?.waiting?.overwrites_drift).to.equal(false);
    expect(await incidents()).to.deep.equal([]);
    expect(await planned()).to.include({ action: 'update', reason: 'the store has this value already' });
    expect(await verify()).to.equal('in_sync');
    await resume();
    const puts = scene.fake.calls().filter(({ operation }) => operation === 'PutSecretValue');
    expect(puts).to.have.length(1);
    expect(stored()).to.deep.equal(THEIRS);
    expect((await record())?.synced_version).to.equal(2);
  });

  it('the history tells that a comparison found the end of it, and of each further change', async () => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    const lines = async () => {
      const history: AttemptAnswer[] = expectOk(await scene.sealift.client.get(path)).history;
      return history.map(({ action, outcome, version }) => [action, outcome, version]);
    };
    await scene.driver.write('one', THEIRS);
    for (let times = 0; times < 2; times += 1) expect(await verify()).to.equal('in_sync');
    const ended = [
      ['recovered', 'SYNCED', 2],
      ['changed', 'DRIFTED', null],
      ['create', 'SYNCED', 1],
    ];
    expect(await lines()).to.deep.equal(ended);
    changeOutside({ user: 'a third' });
    expect(await verify()).to.equal('drifted');
    expect(await lines()).to.deep.equal([['changed', 'DRIFTED', null], ...ended]);
  });

  it('a comparison sees it as well while the secret is being unlinked', async () => {
    await post('associations/remove', body);
    await scene.driver.write('one', THEIRS);
    expect(await verify()).to.equal('in_sync');
    expect((await record())?.waiting).to.include({ cause: 'unlink', overwrites_drift: false });
    await post('associations/withdraw', body);
    expect((await record())?.drift).to.equal(null);
    await resume();
    expect(stored()).to.deep.equal(THEIRS);
  });

  it('a plan that looks into the store sees it as well', async () => {
    await scene.driver.write('one', THEIRS);
    expect(await planned()).to.include({ action: 'update', reason: 'the store has this value already' });
    expect((await record())?.drift).to.equal(null);
  });

  it('a new version with another value leaves it a change of somebody else', async () => {
    await scene.driver.write('one', { user: 'newer' });
    expect(await verify()).to.equal('drifted');
    expect((await record())?.waiting?.overwrites_drift).to.equal(true);
    expect((await record())?.drift?.code).to.equal('changed_outside');
    expect((await planned()).action).to.equal('overwrite');
  });

  it('the value before it is written again if a later version has that one', async () => {
    await scene.driver.write('one', THEIRS);
    expect(await verify()).to.equal('in_sync');
    await scene.driver.write('one', OURS);
    await resume();
    expect(stored()).to.deep.equal(OURS);
  });

  it('a further change in the store is found, and counts as one of somebody else again', async () => {
    await scene.driver.write('one', THEIRS);
    expect(await verify()).to.equal('in_sync');
    changeOutside({ user: 'a third' });
    expect(await verify()).to.equal('drifted');
    expect((await record())?.waiting?.overwrites_drift).to.equal(true);
  });

  it('a comparison sees it as well after the store has refused the write', async () => {
    await scene.driver.write('one', THEIRS);
    expect(await verify()).to.equal('in_sync');
    scene.fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await post('resume', {});
    await eventually(async () => expect((await record())?.cause?.code).to.equal('permission_missing'));
    expect(await verify()).to.equal('in_sync');
    expect((await record())?.sync_status).to.equal('CLIENT_SIDE_ERROR');
  });

  it('the history says that a version overwrote it, unless the version had its value', async () => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=one`;
    const last = async (): Promise<string> =>
      expectOk(await scene.sealift.client.get(path)).history[0].action;
    await scene.driver.write('one', THEIRS);
    await resume();
    expect(await last()).to.equal('update');
    changeOutside({ user: 'a third' });
    await verify();
    await scene.driver.write('one', { user: 'newer' });
    await scene.driver.settles('one', 'SYNCED');
    expect(await last()).to.equal('overwrite');
    await scene.driver.write('one', OURS);
    await scene.driver.settles('one', 'SYNCED');
    expect(await last()).to.equal('update');
    // Only the push itself finds this one.
    changeOutside({ user: 'a fourth' });
    await post('associations/set', body);
    await eventually(() => expect(stored()).to.deep.equal(OURS));
    await scene.driver.settles('one', 'SYNCED');
    expect(await last()).to.equal('overwrite');
  });
});
