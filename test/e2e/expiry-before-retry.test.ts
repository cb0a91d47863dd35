import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

describe('the expiry of a version before the next try of one of its keys', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene({
      environment: { SWEEP_INTERVAL: '200', RETRY_MIN: '120000' },
      settings: { granularity: 'secret-key', secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}' },
    });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  after(() => scene.close());

  it('an entry is removed outside when its version expires, not with the next try', async () => {
    const { fake, driver, sealift } = scene;
    fake.addFault({ kind: 'error', status: 500, target: 'app-broken' });
    await sealift.client.post('/v1/secret/metadata/app', { delete_version_after: '4s' });
    await driver.write('app', { good: 'one', broken: 'two' });
    await driver.associate('app');
    await eventually(() => fake.entries().length === 1);
    await eventually(async () => {
      const records = await driver.records('app');
      expect(records.map(({ sync_status: status }) => status).toSorted()).to.deep.equal([
        'EXTERNAL_SERVICE_ERROR',
        'SYNCED',
      ]);
      return true;
    });
    await eventually(() => fake.entries().length === 0);
  });
});
