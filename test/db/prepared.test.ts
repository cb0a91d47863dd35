import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { prepared } from '../../libs/db/prepared.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

type Statement = { statement: string; used: number };

describe('prepared statements', () => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 1, name: 'test-prepared' });
  });

  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const add = (executor: Database, left: number, right: number) =>
    prepared<{ sum: number }>(executor, 'SELECT ?::integer + ?::integer AS sum', [left, right]);
  const statements = async (): Promise<Statement[]> => {
    const { rows } = await db.raw<{ rows: Statement[] }>(
      'SELECT statement, (generic_plans + custom_plans)::integer AS used FROM pg_prepared_statements',
    );
    return rows;
  };

  it('a prepared statement answers for the values of each call, though it is parsed only once', async () => {
    expect(await add(db, 1, 2)).to.deep.equal([{ sum: 3 }]);
    expect(await add(db, 3, 4)).to.deep.equal([{ sum: 7 }]);
    expect(await statements()).to.deep.equal([
      { statement: 'SELECT $1::integer + $2::integer AS sum', used: 2 },
    ]);
  });

  it('a prepared statement is the same in a transaction, and stays when that is undone', async () => {
    const transaction = await db.transaction();
    expect(await add(transaction, 1, 2)).to.deep.equal([{ sum: 3 }]);
    await transaction.rollback();
    await add(db, 1, 2);
    expect(await statements()).to.have.length(1);
  });

  it('a prepared statement takes lists, dates, bytes and null as values', async () => {
    const [moment, bytes] = [new Date(), Buffer.from([0, 255])];
    const sql = 'SELECT ?::bigint[] AS ids, ?::timestamptz AS at, ?::bytea AS bytes, ?::text AS nothing';
    expect(await prepared(db, sql, [[1, 2], moment, bytes, null])).to.deep.equal([
      { ids: ['1', '2'], at: moment, bytes, nothing: null },
    ]);
  });

  it('a prepared statement works again after it was refused', async () => {
    const divide = (by: number) => prepared<{ of: number }>(db, 'SELECT 10 / ?::integer AS of', [by]);
    const refusal = await divide(0).catch((error: unknown) => error);
    expect(refusal).to.include({ code: '22012' });
    expect(await divide(2)).to.deep.equal([{ of: 5 }]);
  });
});
