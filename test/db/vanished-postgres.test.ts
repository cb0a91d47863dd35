import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { isUnreachable } from '../../libs/db/unreachable.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';

const SILENCE_MS = 1500;

describe('a Postgres that vanishes without closing its connections', () => {
  let database: TestDatabase;
  let db: Database;
  let proxy: Proxy;

  beforeEach(async () => {
    database = await createDatabase();
    const url = new URL(database.url);
    proxy = await startProxy(Number(url.port || 5432));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    db = connect({ url: url.href, poolSize: 2, name: 'test-silence', silenceMs: SILENCE_MS });
  });

  afterEach(async () => {
    await proxy.close();
    await db.destroy();
    await database.drop();
  });

  const failureOf = async (statement: string): Promise<unknown> => {
    try {
      await db.raw(statement);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('a vanished Postgres is given up by all statements, then its successor serves', async () => {
    const slow = failureOf('SELECT pg_sleep(1)');
    await db.raw('SELECT 1');
    proxy.vanish();
    const next = failureOf('SELECT 2');
    for (const error of [await slow, await next]) expect(isUnreachable(error), String(error)).to.equal(true);
    const { rows } = await db.raw<{ rows: { n: number }[] }>('SELECT 3 AS n');
    expect(rows).to.deep.equal([{ n: 3 }]);
  });

  it('a transaction that waits for us is not taken for a vanished Postgres', async () => {
    const n = await db.transaction(async (transaction) => {
      await transaction.raw('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, SILENCE_MS * 1.5));
      const { rows } = await transaction.raw<{ rows: { n: number }[] }>('SELECT 4 AS n');
      return rows[0]?.n;
    });
    expect(n).to.equal(4);
  });
});
