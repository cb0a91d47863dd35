import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('incidents of a destination that is deleted', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
  });

  after(() => scene.close());

  it('the incidents of a deleted destination are still found by its name', async () => {
    const { sealift, driver, fake } = scene;
    const { client } = sealift;
    const path = `${driver.path}/incidents`;
    await sealift.start('worker', cloud1Worker(fake));
    fake.addFault({ kind: 'denied', operation: 'CreateSecret' });
    await driver.write('one', { user: 'app' });
    await driver.associate('one');
    await driver.settles('one', 'CLIENT_SIDE_ERROR');
    fake.clearFaults();
    const [{ id }] = expectOk(await client.get(path)).incidents;
    await driver.dissociate('one');
    await eventually(async () => (await client.delete(driver.path)).status === 204);
    const { incidents } = expectOk(await client.get(path));
    expect(incidents).to.have.length(1);
    expect(incidents[0]).to.deep.include({
      id,
      destination: { type: 'cloud1-sm', name: 'prod', deleted: true },
    });
    await client.post('/v1/sys/namespaces/team');
    expect((await client.get(path, { namespace: 'team' })).status).to.equal(404);
    await driver.configure(cloud1Settings());
    expect(expectOk(await client.get(path)).incidents).to.deep.equal([]);
  });
});
