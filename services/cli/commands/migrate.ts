import { Command } from 'commander';
import { loadConfig } from '../../../libs/config/config.ts';
import { outputOf } from '../output.ts';

/** Brings the schema up to date, once Postgres answers; tells what it has applied. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date')
    .action(async (_options, command: Command) => {
      const config = loadConfig();
      // Client verbs do not pay for loading the database's client.
      const { connect } = await import('../../../libs/db/connect.ts');
      const { migrate } = await import('../../../libs/db/migrate.ts');
      const { waitForPostgres } = await import('../wait-for-postgres.ts');
      // Steps of large tables take their time, and so does another who applies them.
      const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-migrate', silenceMs: 0 });
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
