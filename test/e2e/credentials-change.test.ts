import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const HERE = 'eu-west-1';
const THERE = 'eu-west-1/222222222222';
const ROTATED = { access_key_id: 'AKIAROTATED', secret_access_key: 'rotated' };
const ELSEWHERE = { access_key_id: 'AKIAELSEWHERE', secret_access_key: 'elsewhere' };

describe('new credentials of a destination that manages secrets', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  let driver: SyncDriver;
  let count = 0;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { CALL_TIMEOUT: '1500', LEASE: '4000', SWEEP_INTERVAL: '200', RETRY_MIN: '60' },
      workers: { connector: cloud1Worker(fake) },
    });
  });
  beforeEach(async () => {
    fake.reset();
    fake.assign(ELSEWHERE.access_key_id, '222222222222');
    count += 1;
    driver = createSyncDriver(sealift, 'cloud1-sm', `d${count}`);
    await driver.configure(cloud1Settings(HERE));
    await driver.write('app', { v: 'one' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
  });
  afterEach(async () => {
    fake.clearFaults();
    await sealift.client.delete(`${driver.path}?force_delete=true`);
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const value = (region: string) =>
    fake.entries().find((entry) => entry.name === 'app' && entry['region'] === region)?.value;
  const patch = async (body: Record<string, unknown>) => {
    const answer = await driver.patch(body);
    expect(answer.status, answer.text).to.equal(200);
  };
  const isGone = () => eventually(async () => (await driver.records('app')).length === 0);

  it('credentials of another account write everything there before it is called synced', async () => {
    await patch(ELSEWHERE);
    await driver.settles('app', 'SYNCED');
    expect(value(THERE)).to.equal('{"v":"one"}');
  });

  it('credentials of another account do not touch a foreign entry under the name there', async () => {
    fake.plant({ name: 'app', value: 'theirs', region: THERE });
    await patch(ELSEWHERE);
    const [record] = await driver.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('conflict');
    await driver.write('app', { v: 'two' });
    await driver.settles('app', 'CLIENT_SIDE_ERROR');
    await driver.dissociate('app');
    await isGone();
    expect(value(THERE)).to.equal('theirs');
  });

  it('credentials of another account delete no foreign entry for a removed secret', async () => {
    fake.plant({ name: 'app', value: 'theirs', region: THERE });
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    await driver.dissociate('app');
    await patch(ELSEWHERE);
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false });
    await isGone();
    expect(value(THERE)).to.equal('theirs');
  });

  it('new credentials of the same account find what is ours, and write only what changes', async () => {
    fake.clearCalls();
    await patch(ROTATED);
    await driver.settles('app', 'SYNCED');
    expect(fake.callsOf('PutSecretValue')).to.deep.equal([]);
    await driver.write('app', { v: 'two' });
    await eventually(() => value(HERE) === '{"v":"two"}');
    await driver.dissociate('app');
    await isGone();
    expect(value(HERE)).to.equal(undefined);
  });

  it('new credentials of the same account leave nothing of a secret removed before', async () => {
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    await patch(ROTATED);
    await driver.dissociate('app');
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false });
    await isGone();
    expect(value(HERE)).to.equal(undefined);
  });

  it('a push with the former credentials says nothing about the new ones', async () => {
    fake.addFault({ kind: 'slow', operation: 'PutSecretValue', delayMs: 1000, times: 1 });
    await driver.write('app', { v: 'two' });
    await eventually(() => fake.callsOf('PutSecretValue').length > 0);
    await patch(ELSEWHERE);
    await driver.settles('app', 'SYNCED');
    expect(value(THERE)).to.equal('{"v":"two"}');
  });
});
