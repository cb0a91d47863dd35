import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { contextReadiness } from '../../libs/service/health.ts';
import { findStaleLedger } from '../../libs/store/maintenance/lost-writes.ts';
import { runCommand } from '../cli/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { createClient, type Client } from '../support/client.ts';
import type { TestDatabase } from '../support/database.ts';
import { dumpDatabase, restoreDatabase } from '../support/dump.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const COPY =
  'this database is a copy of another one (restored from a backup, or moved), whose installation may still run';

describe('a copy of an installation that still runs', () => {
  let folder: string;
  let fake: Fake;
  let original: Sealift;
  let database: TestDatabase;
  let copy: Sealift;
  let client: Client;

  const value = (name: string): unknown => fake.entries().find((entry) => entry.name === name)?.value;
  const write = () => client.post('/v1/secret/data/app', { data: { v: 'written in the copy' } });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sealift-copy-'));
    const dump = join(folder, 'sealift.dump');
    fake = await startCloud1SmFake();
    original = await startSealift({ workers: { connector: cloud1Worker(fake) } });
    const driver = createSyncDriver(original, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await driver.write('app', { v: 'first' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    // The backup has a change that still waits, and syncing is enabled in it.
    const { db } = original.context;
    await driver.write('app', { v: 'second' });
    await eventually(() => value('app') === '{"v":"second"}');
    await db('associations').update({ generation: db.raw('generation + 1'), due_at: '2100-01-01' });
    await dumpDatabase(original.config.DATABASE_URL, dump);
    await driver.write('app', { v: 'third' });
    await eventually(() => value('app') === '{"v":"third"}');
    database = await restoreDatabase(dump);
    const environment = { ...original.environment, DATABASE_URL: database.url, AMQP_PREFIX: 'a-copy' };
    fake.clearCalls();
    copy = await startSealift({ environment, workers: { connector: cloud1Worker(fake) } });
    await copy.context.db('associations').update({ due_at: copy.context.db.fn.now() });
    client = createClient(copy.url, original.token);
  });

  after(async () => {
    await copy?.stop();
    await database?.drop();
    await original?.stop();
    await fake?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the copy refuses changes, answers reads, and says why everywhere', async () => {
    const refused = await write();
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain(COPY).and.contain('sealift recover lost-writes');
    const { data } = (await client.get('/v1/secret/data/app')).body;
    expect(data.data).to.deep.equal({ v: 'second' });
    const summary = (await client.get('/v1/sys/sync/summary')).body.data;
    expect(summary.paused.reason).to.equal(COPY);
    expect(await contextReadiness(copy.context, { needsBroker: false })()).to.deep.equal([
      `${COPY}: decide with sealift recover lost-writes`,
    ]);
    const doctor = await runCommand(['doctor', '--no-egress'], copy.environment);
    expect(doctor.stdout).to.match(/failed +lost writes/);
    expect(doctor.stdout).to.contain('stop the former installation');
  });

  it('the copy makes no call to a store, whatever is due in it', async () => {
    // Longer than a sweep.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(fake.calls()).to.deep.equal([]);
    expect(value('app')).to.equal('{"v":"third"}');
  });

  it('the copy goes on once an operator has decided, and confirms every entry anew', async () => {
    const decision = await runCommand(['recover', 'lost-writes'], copy.environment);
    expect(decision.code, decision.stderr).to.equal(0);
    expect(await findStaleLedger(copy.context.db)).to.be.a('string');
    await eventually(async () => (await write()).status === 200);
    await eventually(() => value('app') === '{"v":"written in the copy"}');
  });
});
