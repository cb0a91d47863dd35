import { expect } from 'chai';
import type { Checkpoint } from '../../libs/sync/order.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const NAMES = Array.from({ length: 30 }, (_, index) => `app${index}`);

describe('a worker whose database is slow to store results', () => {
  let scene: Cloud1Scene;
  let goOn = (): void => undefined;

  beforeEach(async () => {
    // Few slots, and no sweep that would find what was left over.
    scene = await openCloud1Scene({ environment: { CONCURRENCY: '2', SWEEP_INTERVAL: '60000' } });
  });

  afterEach(async () => {
    goOn();
    await scene.close();
  });

  it('a worker claims and pushes on while the results of its first pushes are still being stored', async () => {
    const { sealift, driver, fake } = scene;
    for (const name of NAMES) {
      await driver.write(name, { value: name });
      const body = { mount: 'secret', secret_name: name };
      const answer = await sealift.client.post(`${driver.path}/associations/set`, body, {
        headers: { prefer: 'respond-async' },
      });
      expect(answer.status, answer.text).to.be.oneOf([200, 202]);
    }
    fake.addFault({ kind: 'slow', operation: 'CreateSecret', delayMs: 50 });
    const released = new Promise<void>((resolve) => (goOn = resolve));
    const checkpoint = (name: Checkpoint): Promise<void> =>
      name === 'after-store' ? released : Promise.resolve();
    await sealift.start('worker', cloud1Worker(fake, { checkpoint }));
    await eventually(() => expect(fake.entries()).to.have.length(NAMES.length));
    goOn();
    for (const name of NAMES) await driver.settles(name, 'SYNCED');
  });
});
