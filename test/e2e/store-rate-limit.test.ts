import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

// On a machine that stands still for a moment, some calls of two workers arrive together.
const MOST_REFUSED = 8;

describe('a store with a write limit', () => {
  it('a store that has throttled turns hardly any call away, with two workers', async () => {
    const fake = await startCloud1SmFake();
    const sealift = await startSealift({
      environment: { SWEEP_INTERVAL: '200' },
      workers: { one: cloud1Worker(fake), two: cloud1Worker(fake) },
    });
    try {
      const driver = createSyncDriver(sealift, 'cloud1-sm', 'limited');
      await driver.configure(cloud1Settings());
      const names = Array.from({ length: 120 }, (_, index) => `s${index}`);
      const writeAll = (v: number): Promise<unknown> =>
        Promise.all(names.map((name) => driver.write(name, { v })));
      const settled = (version: number) =>
        eventually(
          async () => (await driver.records()).every((record) => record.synced_version === version),
          {
            everyMs: 200,
          },
        );
      await writeAll(1);
      const set = `${driver.path}/associations/set`;
      for (const name of names) await sealift.client.post(set, { mount: 'secret', secret_name: name });
      await settled(1);

      // Enforces the documented limit. One refusal tells the workers about it.
      fake.addFault({ kind: 'limit', writes: 50, perMs: 1000 });
      fake.addFault({ kind: 'throttle', operation: 'PutSecretValue', times: 1, retryAfterSeconds: 1 });
      await driver.write('s0', { v: 2 });
      await eventually(() => fake.calls().some((call) => call.status === 400));
      fake.clearCalls();
      await writeAll(3);
      await eventually(() => fake.entries().every((entry) => entry.value === '{"v":3}'));
      expect(fake.refusedCalls()).to.be.at.most(MOST_REFUSED);
    } finally {
      await sealift.stop();
      await fake.close();
    }
  });
});
