import { expect } from 'chai';
import { LocalFailure } from '../../deploy/local/failure.ts';
import { refuseFormerDatabase } from '../../deploy/local/former-database.ts';
import { FIRST_FORMER_STEP } from '../../libs/db/former-schema.ts';
import { connect } from '../../libs/db/connect.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

describe('a local database', () => {
  let database: TestDatabase;

  beforeEach(async () => (database = await createDatabase()));
  afterEach(() => database.drop());

  const change = async (sql: string): Promise<void> => {
    const db = connect({ url: database.url, poolSize: 1, name: 'test-former' });
    await db.raw(sql);
    await db.destroy();
  };
  const refusal = async (isOwn: boolean): Promise<unknown> =>
    refuseFormerDatabase(database.url, { isOwn }).catch((error: unknown) => error);

  it('a local database of this version, and one without tables, is used', async () => {
    expect(await refusal(true)).to.equal(undefined);
    await change('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    expect(await refusal(true)).to.equal(undefined);
  });

  it('a local database of a version before 0.2.0 is refused with the commands to type', async () => {
    await change('DELETE FROM schema_migrations');
    await change(`INSERT INTO schema_migrations (name) VALUES ('${FIRST_FORMER_STEP}')`);
    const own = await refusal(true);
    expect(own).to.be.instanceOf(LocalFailure);
    expect(String(own)).to.contain('make down && mv .local/postgres ').and.contain('docs/upgrade.md');
    expect(String(await refusal(false)))
      .to.contain('DATABASE_URL')
      .and.contain('sealift kv export');
  });
});
