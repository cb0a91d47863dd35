import { expect } from 'chai';
import type { Service } from '../../libs/service/run-service.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const THERE = 'eu-west-1/222222222222';
const ELSEWHERE = { access_key_id: 'AKIAELSEWHERE', secret_access_key: 'elsewhere' };

describe('new credentials between a claim and its push', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  let driver: SyncDriver;
  let worker: Service;
  let goOn: () => void;
  // Resolves when the result of the first push is stored, before any further claim.
  let isStored: Promise<void>;
  let claimAgain: () => void;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    fake.assign(ELSEWHERE.access_key_id, '222222222222');
    fake.plant({ name: 'app', value: 'theirs', region: THERE });
    sealift = await startSealift({
      environment: { CALL_TIMEOUT: '1500', LEASE: '4000', SWEEP_INTERVAL: '200', RETRY_MIN: '60' },
    });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await driver.write('app', { v: 'one' });
    worker = await sealift.start('first', cloud1Worker(fake));
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    await worker.stop();
  });

  afterEach(async () => {
    goOn();
    claimAgain();
    await sealift.stop();
    await fake.close();
  });

  // Starts a worker without an open session. It pauses after its first claim until `goOn`, and before the next claim until
  // `claimAgain`.
  async function claim(): Promise<void> {
    const rest = new Promise<void>((resolve) => (goOn = resolve));
    const turn = new Promise<void>((resolve) => (claimAgain = resolve));
    await new Promise<void>((claimed, failed) => {
      isStored = new Promise((stored) => {
        let isFirst = true;
        const checkpoint = async (name: string): Promise<void> => {
          if (name === 'after-store') stored();
          if (name === 'before-claim' && !isFirst) await turn;
          if (name !== 'after-claim') return;
          isFirst = false;
          claimed();
          await rest;
        };
        sealift.start('second', cloud1Worker(fake, { checkpoint })).catch(failed);
      });
    });
  }

  async function change(): Promise<void> {
    const answer = await driver.patch(ELSEWHERE);
    expect(answer.status, answer.text).to.equal(200);
    fake.clearCalls();
    goOn();
    await isStored;
    expect(fake.calls()).to.deep.equal([]);
    claimAgain();
  }

  const theirs = () => fake.entries().find((entry) => entry['region'] === THERE)?.value;

  it('new credentials do not carry a value to the new account that was meant for the former one', async () => {
    await driver.write('app', { v: 'two' });
    await claim();
    await change();
    const [record] = await driver.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('conflict');
    expect(theirs()).to.equal('theirs');
  });

  it('new credentials do not delete in the new account what was to go from the former one', async () => {
    await driver.dissociate('app');
    await claim();
    await change();
    await eventually(async () => (await driver.records('app')).length === 0);
    expect(theirs()).to.equal('theirs');
  });
});
