import { expect } from 'chai';
import { connect } from '../../libs/db/connect.ts';
import { createDatabase } from '../support/database.ts';

describe('a database that is read-only for a while', () => {
  it('no session begins there, so none is left that refuses changes later', async () => {
    const database = await createDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const administer = connect({ url: database.url, poolSize: 1, name: 'test-administer' });
    const pool = connect({ url: database.url, poolSize: 1, name: 'test-read-only' });
    try {
      await administer.raw(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      const read = await pool.raw('SELECT 1').catch((error: unknown) => error);
      expect(read).to.include({ name: 'SessionRefusedError', code: '25006' });
      await administer.raw(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await pool.raw("UPDATE settings SET kind = kind WHERE kind = 'general'");
    } finally {
      await Promise.all([administer.destroy(), pool.destroy()]);
      await database.drop();
    }
  });
});
