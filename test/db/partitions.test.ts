import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { migrations } from '../../libs/db/migrations/index.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const TABLES = ['sync_history', 'audit_events'];
const INSERTS = [
  `INSERT INTO sync_history (destination_id, mount_id, secret_path, sub_key, action, outcome, duration_ms)
   SELECT n % 3, 1, 'app/' || n % 10, '', 'update', 'SYNCED', 1 FROM generate_series(1, ?) n`,
  `INSERT INTO audit_events (actor, namespace, action, path)
   SELECT 'somebody', '', 'test', 'path/' || n FROM generate_series(1, ?) n`,
];
const ROWS = 3000;
const MANY_ROWS = 250_001;

describe('partitions of an installation that had none', () => {
  let database: TestDatabase;
  let db: Database;
  let former: unknown[][];

  const insert = async (count: number) => {
    for (const statement of INSERTS) await db.raw(statement, [count]);
  };
  // What later migrations add is null in former rows.
  const contents = async (): Promise<unknown[][]> => {
    const tables: Record<string, unknown>[][] = await Promise.all(
      TABLES.map((table) => db(table).orderBy('id')),
    );
    return tables.map((rows) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
    );
  };
  const plan = async (statement: string): Promise<string> => {
    const { rows } = await db.raw(`EXPLAIN ${statement}`);
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
  };

  before(async () => {
    database = await createDatabase();
    const open = () => connect({ url: database.url, poolSize: 2, name: 'test-partitions' });
    db = open();
    await db.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    // What is connected takes the new schema for another database.
    await db.destroy();
    db = open();
    const first = migrations.findIndex(({ name }) => name.startsWith('018-'));
    await migrate(db, migrations.slice(0, first));
    await insert(ROWS);
    former = await contents();
    await migrate(db);
    await db.raw('ANALYZE');
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  it('every row stays, and the ids go on where they were', async () => {
    expect(await contents()).to.deep.equal(former);
    await insert(1);
    for (const table of TABLES) expect(await db(table).max('id')).to.deep.equal([{ max: ROWS + 1 }]);
  });

  it('an id is given by the database alone, and only once', async () => {
    const given = db.raw(
      INSERTS[1]?.replace('(actor', '(id, actor').replace("'somebody'", "7, 'somebody'") ?? '',
      [1],
    );
    expect(await given.catch((thrown: unknown) => thrown)).to.include({ code: '428C9' });
    const again = db.raw(
      INSERTS[1]?.replace('(actor', '(id, actor').replace('SELECT', 'OVERRIDING SYSTEM VALUE SELECT 7,') ??
        '',
      [1],
    );
    expect(await again.catch((thrown: unknown) => thrown)).to.include({ code: '23505' });
  });

  it('entries of the trail stay protected, also in each partition', async () => {
    await db.raw("SELECT start_partition('audit_events')");
    await insert(1);
    for (const table of ['audit_events', 'audit_events_0', 'audit_events_2', 'audit_events_3'])
      for (const statement of [
        `TRUNCATE ${table}`,
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET actor = 'nobody'`,
      ]) {
        if (table === 'audit_events_3' && !statement.startsWith('TRUNCATE')) continue;
        const error = await db.raw(statement).catch((thrown: unknown) => thrown);
        expect(String(error), statement).to.contain('append-only');
      }
  });

  it('a list reads the newest partitions first, and by an index only', async () => {
    const text = await plan(
      `SELECT * FROM sync_history WHERE mount_id = 1 AND secret_path = 'app/1' AND destination_id = 1 ORDER BY id DESC LIMIT 2`,
    );
    expect(text).to.match(/Append[^]*on sync_history_2[^]*on sync_history_0/);
    expect(text).to.not.match(/Sort|Seq Scan/);
  });

  it('a span of ids is looked up in its own partition only', async () => {
    const text = await plan('SELECT * FROM audit_events WHERE id >= 10 AND id < 20 ORDER BY id DESC');
    expect(text).to.contain('audit_events_0').and.not.contain('audit_events_2');
  });
});

describe('the index of the attempts at a destination', () => {
  let database: TestDatabase;
  let db: Database;
  const first = migrations.findIndex(({ name }) => name.startsWith('026-'));

  before(async () => {
    database = await createDatabase();
    const open = () => connect({ url: database.url, poolSize: 3, name: 'test-partitions' });
    db = open();
    await db.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await migrate(db, migrations.slice(0, first));
    // What is connected takes the new schema for another database.
    await db.destroy();
    db = open();
    await db.raw(INSERTS[0] ?? '', [MANY_ROWS]);
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  it('new attempts are stored while the index of many old ones is built', async () => {
    await migrate(db, migrations.slice(0, first + 1));
    const building = await db.transaction();
    await building.raw(migrations[first + 1]?.sql.replaceAll('?', '\\?') ?? '');
    const built = await building('pg_indexes')
      .whereLike('indexname', 'sync_history%_of_destination')
      .select('tablename');
    const pushed = db.transaction(async (push) => {
      await push.raw("SET LOCAL lock_timeout = '100ms'");
      await push.raw(INSERTS[0] ?? '', [1]);
    });
    const fault = await pushed.catch((thrown: unknown) => thrown);
    await building.rollback();
    expect(built).to.deep.equal([{ tablename: 'sync_history_0' }]);
    expect(fault).to.equal(undefined);
  });

  it('the index holds for all partitions, those that it began with and those that begin later', async () => {
    await migrate(db);
    await db.raw("SELECT start_partition('sync_history')");
    const { rows } = await db.raw(
      `SELECT count(*)::int AS partitions, count(x.indexrelid)::int AS indexed
       FROM pg_inherits i LEFT JOIN (pg_index x JOIN pg_inherits p ON p.inhrelid = x.indexrelid
         AND p.inhparent = 'sync_history_of_destination'::regclass) ON x.indrelid = i.inhrelid AND x.indisvalid
       WHERE i.inhparent = 'sync_history'::regclass`,
    );
    expect(rows).to.deep.equal([{ partitions: 4, indexed: 4 }]);
  });
});
