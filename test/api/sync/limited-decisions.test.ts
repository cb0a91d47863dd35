import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('a decision that waits for a rate limit', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    scene.fake.plant({ name: 'taken', value: 'of somebody else' });
    await scene.driver.write('taken', { user: 'app' });
    await scene.driver.associate('taken');
    await scene.driver.settles('taken', 'CLIENT_SIDE_ERROR');
    scene.fake.addFault({ kind: 'throttle', retryAfterSeconds: 4 });
  });
  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'taken' };
  const post = async (what: string, more: object = {}) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, { ...body, ...more }));
  const decisionOf = async () => (await scene.driver.records('taken'))[0]?.decision?.kind;

  for (const kind of ['adopt', 'overwrite'] as const)
    it(`whoever syncs meanwhile means to ${kind}, however often, and so says the plan`, async () => {
      await post('associations/set', { conflict_policy: kind });
      await scene.driver.settles('taken', 'THROTTLED');
      expect(await decisionOf()).to.equal(kind);
      for (const more of [{}, { only_seen: true }, {}]) {
        const { planned } = await post('associations/plan', { look: true });
        expect(planned[0].reason).to.match(kind === 'adopt' ? /is adopted/ : /is replaced/);
        await post('associations/set', more);
        expect(await decisionOf()).to.equal(kind);
      }
      scene.fake.clearFaults();
      await scene.driver.settles('taken', 'SYNCED');
      await eventually(() => scene.fake.entries()[0]?.value === '{"user":"app"}');
    });
});
