import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { FIRST_FORMER_STEP, FormerSchemaError } from '../../libs/db/former-schema.ts';
import { migrate, NewerSchemaError, schemaFault } from '../../libs/db/migrate.ts';
import { migrations } from '../../libs/db/migrations/index.ts';
import type { Migration } from '../../libs/db/migrations/migration.ts';
import { spawnProcess } from '../support/child-process.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { infrastructure } from '../support/infrastructure.ts';

const first: Migration = { name: '1-first', sql: 'CREATE TABLE one (n int); INSERT INTO one VALUES (1)' };
const second: Migration = { name: '2-second', sql: 'INSERT INTO one VALUES (2)' };
const beside: Migration = { name: '3-beside', sql: 'CREATE TABLE three (n int)', compatible: true };
const last = migrations.at(-1) ?? first;

describe('migrations', () => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 8, name: 'test-migrate' });
  });

  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const empty = () => db.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  // As the first versions left it: the record of a step did not say whether it is compatible.
  const becomeFormer = async () => {
    await empty();
    await db.raw(
      'CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz DEFAULT now())',
    );
    await db('schema_migrations').insert({ name: FIRST_FORMER_STEP });
  };
  const record = (name: string, compatible: boolean) => db('schema_migrations').insert({ name, compatible });
  const numbers = async (): Promise<number[]> => (await db('one').orderBy('n')).map(({ n }) => n as number);
  const spawnApi = () =>
    spawnProcess('programs/api/main.js', {
      DATABASE_URL: database.url,
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: 'test-migrate',
      SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'info',
    });

  it('several migrations that run at once apply each step once', async () => {
    await empty();
    const steps = [first, second, beside];
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(db, steps)));
    expect(applied.flat().toSorted()).to.deep.equal(steps.map(({ name }) => name));
    expect(await numbers()).to.deep.equal([1, 2]);
    expect(await migrate(db, steps)).to.deep.equal([]);
  });

  it('a step that fails leaves nothing half done, and is taken up again', async () => {
    await empty();
    const broken = { ...second, sql: 'INSERT INTO one VALUES (7); SELECT 1 / 0' };
    const error = await migrate(db, [first, broken, beside]).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: '22012' });
    expect(await numbers()).to.deep.equal([1]);
    expect(await migrate(db, [first, second, beside])).to.deep.equal([second.name, beside.name]);
  });

  it('a question mark in a step stays what it is', async () => {
    await empty();
    const rule =
      "CREATE TABLE four (word text CHECK (word ~ '^(one)?$')); INSERT INTO four VALUES (''), ('one')";
    await migrate(db, [{ name: '4-rule', sql: rule }]);
    expect(await db('four').orderBy('word').pluck('word')).to.deep.equal(['', 'one']);
  });

  it('a process that is killed within a step leaves nothing half done', async () => {
    await empty();
    const slow = { ...second, sql: 'INSERT INTO one VALUES (7); SELECT pg_sleep(30)' };
    const killed = migrate(db, [first, slow]).catch((thrown: unknown) => thrown);
    const watcher = connect({ url: database.url, poolSize: 1, name: 'test-killer' });
    await eventually(async () => {
      const { rows } = await watcher.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()`,
      );
      return rows.length > 0;
    });
    await watcher.destroy();
    expect(await killed).to.be.instanceOf(Error);
    expect(await numbers()).to.deep.equal([1]);
    expect(await migrate(db, [first, second])).to.deep.equal([second.name]);
  });

  it('a step that meets a table in use waits without holding up others', async () => {
    await empty();
    await migrate(db, [first]);
    const holder = await db.transaction();
    await holder('one').select();
    const widening = migrate(db, [first, { name: '2-wider', sql: 'ALTER TABLE one ADD COLUMN m int' }]);
    // Readers wait no longer than the migration does.
    await untilWaiting(db, 1);
    expect(await numbers()).to.deep.equal([1]);
    await holder.commit();
    expect(await widening).to.deep.equal(['2-wider']);
  });

  it('a step that Postgres ends to resolve a deadlock is taken up again', async () => {
    await empty();
    const tables = { name: '2-tables', sql: 'CREATE TABLE left_one (n int); CREATE TABLE right_one (n int)' };
    await migrate(db, [first, tables]);
    const [holder, other] = await Promise.all([db.transaction(), db.transaction()]);
    // Postgres looks for a circle once in each wait, so the step must close it, as soon as the holder lets go.
    await other.raw("SET LOCAL deadlock_timeout = '60s'");
    await other('right_one').insert({ n: 1 });
    await holder('left_one').select();
    const both = `SET LOCAL lock_timeout = 0; ALTER TABLE left_one ADD COLUMN m int;
      ALTER TABLE right_one ADD COLUMN m int`;
    const widening = migrate(db, [first, tables, { name: '3-both', sql: both }]);
    await untilWaiting(db, 1);
    const inserting = other('left_one').insert({ n: 2 });
    await Promise.all([inserting, untilWaiting(db, 2).then(() => holder.commit())]);
    await other.commit();
    expect(await widening).to.deep.equal(['3-both']);
    expect(await db('left_one')).to.deep.equal([{ n: 2, m: null }]);
  });

  it('a schema that is not there or lacks a step is named, with what to do', async () => {
    await empty();
    expect(await schemaFault(db, [first]))
      .to.contain('no schema yet')
      .and.contain('sealift migrate');
    await migrate(db, [first]);
    expect(await schemaFault(db, [first])).to.equal(null);
    expect(await schemaFault(db, [first, second]))
      .to.contain('lacks 2-second')
      .and.contain('sealift migrate');
  });

  it('an older process works beside a newer step that says so, and refuses one that does not', async () => {
    await empty();
    await migrate(db, [first, beside]);
    expect(await schemaFault(db, [first])).to.equal(null);
    await migrate(db, [first, second, beside]);
    const error = await schemaFault(db, [first]).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NewerSchemaError);
    expect(String(error)).to.contain('2-second').and.not.contain('3-beside');
  });

  it('a database of a version before 0.2.0 is refused with what to do, and stays as it is', async () => {
    await becomeFormer();
    for (const attempt of [migrate(db), schemaFault(db)]) {
      const error = await attempt.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(FormerSchemaError);
      expect(String(error)).to.contain('sealift kv export').and.contain('docs/upgrade.md');
    }
    expect(await db('schema_migrations').pluck('name')).to.deep.equal([FIRST_FORMER_STEP]);
    const { rows } = await db.raw("SELECT to_regclass('tokens') AS tokens");
    expect(rows).to.deep.equal([{ tokens: null }]);
  });

  it('a process that meets a database of a version before 0.2.0 ends with code 78', async () => {
    await becomeFormer();
    const api = await spawnApi();
    expect(await api.ended).to.equal(78);
    expect(api.output()).to.contain('a version before 0.2.0').and.contain('sealift kv export');
  });

  it('a process that meets a newer schema ends and says so in its log', async () => {
    await record('999-later', false);
    const api = await spawnApi();
    expect(await api.ended).to.equal(1);
    expect(api.output()).to.contain('the schema is newer than this process').and.contain('999-later');
  });

  it('a process restarts during a rolling upgrade, when the newer schema is there already', async () => {
    await record('999-later', true);
    const api = await spawnApi();
    await api.ready();
    await api.kill('SIGTERM');
    expect(await api.ended).to.equal(0);
  });

  it('a process that comes before migrate waits, says for what, and goes on by itself', async () => {
    await db('schema_migrations').where({ name: last.name }).delete();
    const api = await spawnApi();
    await eventually(() =>
      expect(api.output()).to.contain(`waiting for the schema: the schema lacks ${last.name}`),
    );
    expect(api.running()).to.equal(true);
    await record(last.name, false);
    await api.ready();
    await api.kill('SIGTERM');
  });
});
