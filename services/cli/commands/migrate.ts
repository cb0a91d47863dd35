import { Command } from 'commander';
import { loadConfig } from '../../../libs/config/config.ts';
import { connect } from '../../../libs/db/connect.ts';
import { migrate } from '../../../libs/db/migrate.ts';
import { outputOf } from '../output.ts';
import { waitForPostgres } from '../wait-for-postgres.ts';

/** Brings the schema up to date, once Postgres answers; tells what it has applied. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date')
    .action(async (_options, command: Command) => {
      const config = loadConfig();
      const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-migrate' });
      try {
        await waitForPostgres(db);
        const applied = await migrate(db);
        outputOf(command).show({ applied }, () =>
          applied.length === 0 ? 'the schema is up to date' : `applied ${applied.join(', ')}`,
        );
      } finally {
        await db.destroy();
      }
    });
}
