import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openLinkedScene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('since when a link is out of sync', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openLinkedScene();
  });

  afterEach(() => scene.close());

  const record = async () => (await scene.driver.records('one'))[0];
  const since = async () => (await record())?.out_of_sync_since;
  const post = async (what: string) =>
    expectOk(
      await scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, {
        mount: 'secret',
        secret_name: 'one',
      }),
    );
  const savedAt = async (version: number) => {
    const { body } = await scene.sealift.client.get(`/v1/secret/metadata/one`);
    return Date.parse(body.data.versions[version].created_time);
  };

  it('a link in sync has no such time', async () => {
    expect(await record()).not.to.have.property('out_of_sync_since');
  });

  it('the time is that of the first version that the store lacks, before anything has failed', async () => {
    scene.fake.addFault({ kind: 'hang', operation: 'PutSecretValue' });
    await scene.driver.write('one', { user: 'two' });
    await eventually(async () => {
      const { sync_status: status, last_failure: last, out_of_sync_since: time } = (await record()) ?? {};
      expect(status).to.equal('SYNCING');
      expect(last).to.equal(undefined);
      expect(Date.parse(time ?? '')).to.be.closeTo(await savedAt(2), 1);
      return true;
    });
    scene.fake.clearFaults();
    // The store has taken it, and it is only written once more.
    await eventually(async () => expect(await record()).to.include({ unconfirmed: 'write' }));
    expect(await since()).to.equal(undefined);
  });

  it('a further version that fails, too, leaves it', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('one', { user: 'two' });
    await scene.driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    await scene.driver.write('one', { user: 'three' });
    await eventually(async () => expect((await record())?.source_version).to.equal(3));
    expect(Date.parse((await since()) ?? '')).to.be.closeTo(await savedAt(2), 1);
  });

  it('a change in the store counts from when it was found, also once a save has failed after it', async () => {
    const own = scene.fake.entries().find(({ name }) => name === 'one');
    scene.fake.plant({ ...own, name: 'one', value: 'theirs' });
    await post('verify');
    await scene.driver.settles('one', 'DRIFTED');
    const found = await since();
    expect(found).to.equal((await record())?.drift?.since);
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('one', { user: 'two' });
    await scene.driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    expect(await since()).to.equal(found);
  });

  it('a link that ends is not out of sync', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('one', { user: 'two' });
    await scene.driver.settles('one', 'EXTERNAL_SERVICE_ERROR');
    await scene.driver.dissociate('one');
    await eventually(async () => expect(await record()).to.include({ unlinking: true }));
    expect(await since()).to.equal(undefined);
  });
});
