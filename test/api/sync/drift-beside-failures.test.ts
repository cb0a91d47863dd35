import { expect } from 'chai';
import type { AttemptAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('a change in the store in an entry of a link of which another entry fails', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    const { sealift, driver, fake } = scene;
    await sealift.start('worker', cloud1Worker(fake));
    await driver.patch({
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
    });
    await driver.write('one', { left: '1', right: '1' });
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    fake.addFault({ kind: 'error', status: 503, target: entryOf('right').name });
    await driver.write('one', { left: '2', right: '2' });
    await eventually(() => entryOf('left').value === '2');
    await eventually(async () => (await codes()).includes('store_failed'));
    fake.plant({ ...entryOf('left'), value: 'theirs' });
    const verified = await sealift.client.post(`${driver.path}/associations/verify`, body);
    expect(verified.status).to.equal(200);
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'one' };
  const entryOf = (key: string) => {
    const entry = scene.fake.entries().find(({ name }) => name.endsWith(key));
    if (!entry) throw new Error(`no entry ends with ${key}`);
    return entry;
  };
  const codes = async () => (await scene.driver.records('one')).map(({ cause }) => cause?.code);
  const isTriedAgain = async (): Promise<void> => {
    scene.fake.clearFaults();
    await eventually(() => entryOf('right').value === '2');
  };

  it('the next attempts write what failed, and leave the change that a comparison has found', async () => {
    await isTriedAgain();
    await eventually(async () => {
      const [left] = await scene.driver.records('one');
      expect(left).to.deep.include({ sub_key: 'left', sync_status: 'DRIFTED' });
      return true;
    });
    expect(entryOf('left').value).to.equal('theirs');
  });

  it('a link that waits for a pause does not say that it overwrites the change', async () => {
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/pause`, {}));
    const waiting = async () => (await scene.driver.records('one'))[0]?.waiting;
    await eventually(async () => (await waiting()) !== undefined);
    expect((await waiting())?.overwrites_drift).to.equal(false);
    await scene.driver.write('one', { left: '3', right: '3' });
    expect((await waiting())?.overwrites_drift).to.equal(true);
  });

  it('a change of the destination tells once that it has left the change as it was', async () => {
    const { sealift, driver } = scene;
    const known = async () => {
      const { sync_status: status, drift, synced_version } = (await driver.records('one'))[0] ?? {};
      return { status, drift, synced_version };
    };
    const before = await known();
    expect(before).to.include({ status: 'DRIFTED', synced_version: 2 });
    const since = async (key: string): Promise<AttemptAnswer[]> => {
      const path = `${driver.path}/associations/history?mount=secret&secret_name=one`;
      const { history }: { history: AttemptAnswer[] } = expectOk(await sealift.client.get(path));
      const first = history.findIndex(({ trigger }) => trigger?.cause === 'verify');
      return history.slice(0, first).filter(({ sub_key: one }) => one === key);
    };
    expectOk(await driver.patch({ deletion_policy: 'retain' }));
    await eventually(async () => {
      const causes = (await since('right')).map(({ trigger }) => trigger?.cause);
      return causes.slice(causes.indexOf('destination') - 3, causes.indexOf('destination')).length === 3;
    });
    await isTriedAgain();
    await eventually(async () => (await codes())[1] === undefined);
    const [line, ...more] = await since('left');
    expect(more).to.deep.equal([]);
    expect(line).to.deep.include({ action: 'changed', outcome: 'DRIFTED', version: 2 });
    expect([line?.trigger?.cause, line?.cause?.code]).to.deep.equal(['destination', 'changed_outside']);
    expect(await known()).to.deep.equal(before);
    expect(entryOf('left').value).to.equal('theirs');
  });

  it('a new version of it, and a person who syncs the link, overwrite it all the same', async () => {
    await isTriedAgain();
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/set`, body));
    await eventually(() => entryOf('left').value === '2');
    scene.fake.plant({ ...entryOf('left'), value: 'theirs again' });
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, body));
    await scene.driver.write('one', { left: '3', right: '3' });
    await eventually(() => entryOf('left').value === '3');
  });
});
