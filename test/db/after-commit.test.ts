import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { afterCommit, transact } from '../../libs/db/transact.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

describe('the effects of a transaction', () => {
  let database: TestDatabase;
  let db: Database;
  let effects: string[];

  beforeEach(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 1, name: 'test-after-commit' });
    effects = [];
  });

  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const note = (executor: Database, name: string): void => afterCommit(executor, () => effects.push(name));
  const fail = (): never => {
    throw new Error('undone');
  };

  it('an effect comes after the commit, with the database, and not with a rollback', async () => {
    await transact(db, async (transaction) => {
      afterCommit(transaction, (root) => effects.push(root === db ? 'committed' : 'elsewhere'));
      expect(effects).to.deep.equal([]);
    });
    expect(effects).to.deep.equal(['committed']);
    const undone = transact(db, async (transaction) => {
      note(transaction, 'undone');
      fail();
    });
    await undone.catch(() => undefined);
    expect(effects).to.deep.equal(['committed']);
  });

  it('effects of an inner transaction come with the outer commit', async () => {
    await transact(db, async (outer) => {
      await transact(outer, async (inner) => note(inner, 'inner'));
      const undone = transact(outer, async (inner) => {
        note(inner, 'undone');
        fail();
      });
      await undone.catch(() => undefined);
      note(outer, 'outer');
      expect(effects).to.deep.equal([]);
    });
    expect(effects).to.deep.equal(['inner', 'outer']);
  });

  it('an effect comes once where Postgres makes the transaction run again', async () => {
    let tries = 0;
    await transact(db, async (transaction) => {
      tries += 1;
      note(transaction, `try ${tries}`);
      if (tries === 1)
        await transaction.raw(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    });
    expect(effects).to.deep.equal(['try 2']);
  });

  it('an effect comes at once outside of a transaction', () => {
    note(db, 'now');
    expect(effects).to.deep.equal(['now']);
  });
});
