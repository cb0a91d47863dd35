import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { createClient } from '../support/client.ts';
import type { TestDatabase } from '../support/database.ts';
import { dumpDatabase, restoreDatabase } from '../support/dump.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const run = promisify(execFile);
const commandLine = fileURLToPath(new URL('../../programs/cli/main.js', import.meta.url));
const REGION = 'eu-west-1';

// Each claim continues from the one before: a backup, later changes, and the restored installation.
describe('a backup that is restored into a new database', () => {
  let folder: string;
  let fake: Fake;
  let lost: Sealift;
  let database: TestDatabase;
  let restored: Sealift;
  let driver: SyncDriver;

  const value = (name: string): unknown => fake.entries().find((entry) => entry.name === name)?.value;
  const writtenBy = (name: string): string => JSON.stringify(fake.entries().find((one) => one.name === name));

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sealift-backup-'));
    const dump = join(folder, 'sealift.dump');
    fake = await startCloud1SmFake();
    lost = await startSealift({ workers: { connector: cloud1Worker(fake) } });
    const before = createSyncDriver(lost, 'cloud1-sm', 'prod');
    await before.configure(cloud1Settings(REGION));
    for (const name of ['still', 'changed', 'removed', 'taken']) {
      await before.write(name, { v: 'backed up' });
      await before.associate(name);
      await before.settles(name, 'SYNCED');
    }
    await before.write('unlinked', { v: 'backed up' });
    await dumpDatabase(lost.config.DATABASE_URL, dump);

    // Changes after the backup.
    await before.write('changed', { v: 'after the backup' });
    await before.settles('changed', 'SYNCED');
    await eventually(() => value('changed') === '{"v":"after the backup"}');
    await before.associate('unlinked');
    await before.settles('unlinked', 'SYNCED');
    for (const name of ['removed', 'taken']) {
      await before.dissociate(name);
      await eventually(() => value(name) === undefined);
    }
    fake.plant({ name: 'taken', value: 'theirs', region: REGION });
    fake.plant({ name: 'bystander', value: 'theirs', region: REGION });
    await lost.stop();

    database = await restoreDatabase(dump);
    await countTwice(database.url);
    // The job runs before any worker: none may act on the outdated ledger.
    const environment = { ...lost.environment, DATABASE_URL: database.url };
    const { stdout } = await run(process.execPath, [commandLine, 'job', 'invalidate-ledger'], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      timeout: 30_000,
    });
    expect(stdout)
      .to.contain('succeeded')
      .and.contain('associations=4')
      .and.match(/counts=[1-9]/);
    const decision = await run(process.execPath, [commandLine, 'recover', 'lost-writes'], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      timeout: 30_000,
    });
    expect(decision.stdout).to.contain('changes are accepted again');
    fake.clearCalls();
    restored = await startSealift({ environment, workers: { connector: cloud1Worker(fake) } });
    driver = createSyncDriver(restored, 'cloud1-sm', 'prod');
  });

  after(async () => {
    await restored?.stop();
    await database?.drop();
    await fake?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a restored installation is the same one: secrets can be read and tokens work', async () => {
    const client = createClient(restored.url, lost.token);
    const answer = await client.get('/v1/secret/data/still');
    expect(answer.body.data.data).to.deep.equal({ v: 'backed up' });
    expect(restored.context.installation.id).to.equal(lost.context.installation.id);
  });

  it('an entry that is as the backup says is recognised by its owner mark, and not written again', async () => {
    await driver.settles('still', 'SYNCED');
    expect(value('still')).to.equal('{"v":"backed up"}');
    const writes = fake.callsOf('PutSecretValue').filter((call) => call.target === 'still');
    expect(writes).to.deep.equal([]);
  });

  it('a value that was pushed since is not taken for synced: the store gets the restored one', async () => {
    await driver.settles('changed', 'SYNCED');
    expect(value('changed')).to.equal('{"v":"backed up"}');
  });

  it('an entry that was removed since is made again', async () => {
    await driver.settles('removed', 'SYNCED');
    expect(value('removed')).to.equal('{"v":"backed up"}');
  });

  it('an entry of somebody else under a name that was ours is refused, not overwritten', async () => {
    const [record] = await driver.settles('taken', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('conflict');
    expect(value('taken')).to.equal('theirs');
    await driver.dissociate('taken');
    await eventually(async () => (await driver.records('taken')).length === 0);
    expect(value('taken')).to.equal('theirs');
  });

  it('an entry that the ledger lost is recognised as ours when it is associated again', async () => {
    expect(await driver.records('unlinked')).to.deep.equal([]);
    await driver.associate('unlinked');
    await driver.settles('unlinked', 'SYNCED');
    expect(value('unlinked')).to.equal('{"v":"backed up"}');
  });

  it('everything goes on as before the restore, and nothing foreign was touched', async () => {
    for (const name of ['still', 'changed', 'removed', 'unlinked']) {
      await driver.write(name, { v: 'goes on' });
      await eventually(() => value(name) === '{"v":"goes on"}');
    }
    expect(writtenBy('bystander')).to.contain('theirs');
    const touched = fake.calls().filter((call) => call.target === 'bystander');
    expect(touched).to.deep.equal([]);
  });

  it('the kept counts are those of the rows, even if only the data were restored', async () => {
    const { stdout } = await run(process.execPath, [commandLine, 'job', 'check-counts'], {
      env: { PATH: process.env['PATH'] ?? '', ...restored.environment },
      timeout: 30_000,
    });
    expect(stdout).to.contain('succeeded').and.contain('associations=0 counts=0 problems=0');
  });
});

// As rows leave it that come into a schema with its triggers, together with the counts of the dump.
async function countTwice(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`INSERT INTO association_count_changes
    SELECT destination_id, kind, count FROM association_counts UNION ALL SELECT * FROM association_count_changes`);
  await client.end();
}
