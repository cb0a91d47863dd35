import { expect } from 'chai';
import pLimit from 'p-limit';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

// Less than a hanging call takes until it is given up.
const BEFORE_GIVEN_UP = { limitMs: 5000 };
// A claim takes the due work of 500 destinations at most.
const MORE_THAN_A_CLAIM = 520;

describe('destinations beside each other', () => {
  let fake: Fake;
  let sealift: Sealift;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { CALL_TIMEOUT: '6000', LEASE: '20000', SWEEP_INTERVAL: '200', CONCURRENCY: '4' },
      workers: { worker: cloud1Worker(fake) },
    });
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const create = async (name: string, region: string): Promise<SyncDriver> => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', name);
    const answer = await driver.configure({
      ...cloud1Settings(region),
      secret_name_template: `${name}-{{ .SecretPath }}`,
    });
    expect(answer.status, answer.text).to.equal(200);
    return driver;
  };
  const value = (name: string): string | null | undefined =>
    fake.entries().find((entry) => entry.name === name)?.value;
  const associateMany = async (driver: SyncDriver, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await driver.write(`many${index}`, { index });
      const body = { mount: 'secret', secret_name: `many${index}` };
      await sealift.client.post(`${driver.path}/associations/set`, body, {
        headers: { prefer: 'respond-async' },
      });
    }
  };

  it('a hanging destination with a backlog does not hold up a healthy one', async () => {
    const hanging = await create('hanging', 'eu-west-1');
    const healthy = await create('healthy', 'eu-west-2');
    for (let index = 0; index < 40; index += 1)
      fake.addFault({ kind: 'hang', target: `hanging-many${index}` });
    await associateMany(hanging, 40);
    await driverReady(healthy);
    await eventually(() => value('healthy-db') === '{"v":1}', BEFORE_GIVEN_UP);
    expect((await hanging.records()).every((record) => record.sync_status !== 'SYNCED')).to.equal(true);
  });

  it('many hanging destinations at once do not hold up a healthy one either', async () => {
    const hanging = await Promise.all(
      Array.from({ length: 60 }, (_, index) => create(`hanging${index}`, 'eu-west-1')),
    );
    const healthy = await create('healthy', 'eu-west-2');
    for (const [index] of hanging.entries()) fake.addFault({ kind: 'hang', target: `hanging${index}-db` });
    await healthy.write('db', { v: 1 });
    const body = { mount: 'secret', secret_name: 'db' };
    const answers = await Promise.all(
      hanging.map(({ path }) =>
        sealift.client.post(`${path}/associations/set`, body, { headers: { prefer: 'respond-async' } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await healthy.write('own', { v: 1 });
    expect((await healthy.associate('own')).status).to.equal(200);
    await eventually(() => value('healthy-own') === '{"v":1}', BEFORE_GIVEN_UP);
  });

  it('a throttled destination waits by itself', async () => {
    const throttled = await create('throttled', 'eu-west-1');
    const healthy = await create('healthy', 'eu-west-2');
    await throttled.write('slow', { v: 1 });
    fake.addFault({ kind: 'throttle', target: 'throttled-slow', retryAfterSeconds: 30 });
    await throttled.associate('slow');
    await throttled.settles('slow', 'THROTTLED');
    await driverReady(healthy);
    await eventually(() => value('healthy-db') === '{"v":1}', BEFORE_GIVEN_UP);
  });

  it('everything waits as PENDING while syncing is disabled, and is pushed once afterwards', async () => {
    const driver = await create('d', 'eu-west-1');
    await driverReady(driver);
    await driver.settles('db', 'SYNCED');
    fake.clearCalls();
    const patch = { headers: { 'content-type': 'application/merge-patch+json' } };
    expect((await sealift.client.patch('/v1/sys/sync/config', { disabled: true }, patch)).status).to.equal(
      200,
    );
    for (const v of [2, 3, 4]) await driver.write('db', { v });
    await driver.settles('db', 'PENDING');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fake.calls()).to.deep.equal([]);
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false }, patch);
    await driver.settles('db', 'SYNCED');
    expect(value('d-db')).to.equal('{"v":4}');
    expect(fake.calls()).to.have.length(1);
  });

  it('more destinations than calls fit in take turns, until all have what they should have', async () => {
    // A thousand requests come first.
    const names = Array.from({ length: MORE_THAN_A_CLAIM }, (_, index) => `turn${index}`);
    const few = pLimit(4);
    const drivers = await Promise.all(names.map((name) => few(() => create(name, 'eu-west-1'))));
    await drivers[0]?.write('db', { v: 1 });
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    const answers = await Promise.all(drivers.map((driver) => few(() => driver.associate('db'))));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    fake.addFault({ kind: 'slow', operation: 'CreateSecret', delayMs: 100 });
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false });
    await eventually(() => fake.entries().length === names.length, { limitMs: 200_000 });
  });

  it('a purge removes everything of a destination outside, then the destination', async () => {
    const driver = await create('purged', 'eu-west-1');
    await associateMany(driver, 12);
    await eventually(() => fake.entries().length === 12);
    expect((await sealift.client.delete(driver.path)).status).to.equal(400);
    await sealift.client.delete(`${driver.path}?purge=true`);
    await eventually(async () => (await sealift.client.get(driver.path)).status === 404);
    expect(fake.entries()).to.deep.equal([]);
  });

  it('one secret follows into many destinations', async () => {
    const drivers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(`fan${index}`, index % 2 ? 'eu-west-1' : 'eu-west-2')),
    );
    await drivers[0]?.write('db', { v: 1 });
    for (const driver of drivers) expect((await driver.associate('db')).status).to.equal(200);
    await drivers[0]?.write('db', { v: 2 });
    await eventually(() => drivers.every((_, index) => value(`fan${index}-db`) === '{"v":2}'));
  });
});

async function driverReady(driver: SyncDriver): Promise<void> {
  await driver.write('db', { v: 1 });
  const answer = await driver.associate('db');
  expect(answer.status, answer.text).to.equal(200);
}
