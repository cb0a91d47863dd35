import { expect } from 'chai';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import {
  cloud1Environment,
  cloud1Settings,
  openCloud1Scene,
  type Cloud1Scene,
} from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const WORKER = 'programs/connectors/main.js cloud1-sm';
const SECRETS = ['s1', 's2', 's3', 's4', 's5', 's6', 's7'];

// Two associations per batch: the API does the first batch, the workers do the others.
describe('a change of a destination with more associations than one batch', () => {
  let scene: Cloud1Scene;
  let worker: ServiceProcess | undefined;

  beforeEach(async () => {
    scene = await openCloud1Scene({ environment: { BATCH_ROWS: '2', CALL_TIMEOUT: '1000', LEASE: '3000' } });
    worker = await startWorker();
    for (const secret of SECRETS) {
      await scene.driver.write(secret, { v: secret });
      await scene.driver.associate(secret);
    }
    for (const secret of SECRETS) await scene.driver.settles(secret, 'SYNCED');
  });
  afterEach(async () => {
    await worker?.kill();
    await scene.close();
  });

  const startWorker = () =>
    startProcess(WORKER, { ...scene.sealift.environment, ...cloud1Environment(scene.fake) });
  const stopWorker = () => worker?.kill('SIGTERM');
  const read = () => scene.sealift.client.get(scene.driver.path);
  const statuses = async () => (await scene.driver.records()).map((record) => record.sync_status);
  const names = () =>
    scene.fake
      .entries()
      .filter((entry) => entry['region'] === 'eu-west-1')
      .map(({ name }) => name)
      .toSorted();
  const moved = SECRETS.map((secret) => `moved/${secret}`);
  const rename = async () => {
    const answer = await scene.driver.patch({ secret_name_template: 'moved/{{ .SecretPath }}' });
    expect(answer.status, answer.text).to.equal(200);
  };
  const idOf = async (secret: string): Promise<number> => {
    const { db } = scene.sealift.context;
    const row: { id: number } = await db('association_keys')
      .where({ secret_path: secret })
      .orderBy('association_id')
      .first('association_id AS id');
    return row.id;
  };
  const reached = async (): Promise<number | null> => {
    const row: { rollout_after: number | null } = await scene.sealift.context
      .db('destinations')
      .where({ name: 'prod' })
      .first('rollout_after');
    return row.rollout_after;
  };

  it('a change is outstanding at all associations at once, and reaches all', async () => {
    await stopWorker();
    await rename();
    expect(await statuses()).to.deep.equal(SECRETS.map(() => 'PENDING'));
    worker = await startWorker();
    for (const secret of SECRETS) await scene.driver.settles(secret, 'SYNCED');
    expect(names()).to.deep.equal(moved);
  });

  it('a change reaches all associations though its worker is killed between two batches', async () => {
    const other = createSyncDriver(scene.sealift, 'cloud1-sm', 'other');
    await other.configure(cloud1Settings('eu-central-1'));
    await other.associate('s1');
    await other.settles('s1', 'SYNCED');
    const lock = await scene.sealift.context.db.transaction();
    try {
      // The lock holds up the third batch, and with it everything after it.
      await lock('associations')
        .where({ id: await idOf('s5') })
        .forUpdate()
        .select('id');
      await rename();
      const fourth = await idOf('s4');
      await eventually(async () => (await reached()) === fourth);
      // The worker claims whatever it may of both destinations.
      await scene.driver.write('s1', { v: 'newer' });
      await other.settles('s1', 'SYNCED');
      expect(names()).to.deep.equal(SECRETS);
      await worker?.kill('SIGKILL');
    } finally {
      await lock.rollback();
    }
    expect(await reached()).to.equal(await idOf('s4'));
    worker = await startWorker();
    for (const secret of SECRETS) await scene.driver.settles(secret, 'SYNCED');
    expect(names()).to.deep.equal(moved);
  });

  it('a change is not lost where another one comes before it has reached all associations', async () => {
    await stopWorker();
    await rename();
    expect((await scene.driver.patch({ custom_tags: { team: 'red' } })).status).to.equal(200);
    worker = await startWorker();
    for (const secret of SECRETS) await scene.driver.settles(secret, 'SYNCED');
    expect(names()).to.deep.equal(moved);
    const tags = scene.fake.entries().map((entry) => JSON.stringify(entry));
    for (const text of tags) expect(text).to.include('red');
  });

  it('a change to another account writes nothing there by what the ledger said of the former one', async () => {
    await stopWorker();
    scene.fake.assign('AKIAELSEWHERE', '222222222222');
    for (const secret of SECRETS)
      scene.fake.plant({ name: secret, value: 'theirs', region: 'eu-west-1/222222222222' });
    const answer = await scene.driver.patch({
      access_key_id: 'AKIAELSEWHERE',
      secret_access_key: 'elsewhere',
    });
    expect(answer.status, answer.text).to.equal(200);
    // Another change while the move is not complete: the move continues.
    expect((await scene.driver.patch({ drift_check: true })).status).to.equal(200);
    await scene.driver.write('s7', { v: 'newer' });
    worker = await startWorker();
    for (const secret of SECRETS) await scene.driver.settles(secret, 'CLIENT_SIDE_ERROR');
    const there = scene.fake.entries().filter((entry) => entry['region'] === 'eu-west-1/222222222222');
    expect(there.map(({ value }) => value)).to.deep.equal(SECRETS.map(() => 'theirs'));
  });

  it('a decision outlasts a change that leaves it, but not one before it that is still under way', async () => {
    const { client } = scene.sealift;
    const decide = async () => {
      scene.fake.discard('s7');
      scene.fake.plant({ name: 's7', value: 'theirs' });
      const body = { mount: 'secret', secret_name: 's7', conflict_policy: 'overwrite' };
      expect((await client.post(`${scene.driver.path}/associations/set`, body)).status).to.equal(200);
    };
    const value = () => scene.fake.entries().find(({ name }) => name === 's7')?.value;
    await stopWorker();
    await decide();
    expect((await scene.driver.patch({ drift_check: true })).status).to.equal(200);
    worker = await startWorker();
    await scene.driver.settles('s7', 'SYNCED');
    expect(value()).to.equal('{"v":"s7"}');
    await stopWorker();
    await decide();
    expect((await scene.driver.patch({ custom_tags: { team: 'red' } })).status).to.equal(200);
    expect((await scene.driver.patch({ drift_check: false })).status).to.equal(200);
    worker = await startWorker();
    await scene.driver.settles('s7', 'CLIENT_SIDE_ERROR');
    expect(value()).to.equal('theirs');
  });

  it('a purge is under way at all associations at once, and ends with the destination', async () => {
    await stopWorker();
    await scene.sealift.client.delete(`${scene.driver.path}?purge=true`);
    expect(await statuses()).to.deep.equal(SECRETS.map(() => 'UNSYNCING'));
    expect((await read()).body.data)
      .to.have.property('purge_initiated_at')
      .and.not.equal(null);
    worker = await startWorker();
    await eventually(async () => (await read()).status === 404);
    expect(names()).to.deep.equal([]);
  });
});
