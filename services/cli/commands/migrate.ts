import { Command } from 'commander';
import { outputOf } from '../output.ts';

/** Waits for Postgres, brings the schema up to date, and shows the applied steps. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date')
    .action(async (_options, command: Command) => {
      // Loaded only here, so that client verbs load neither the library of schemas nor the database's client.
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const config = loadConfig();
      const { connect } = await import('../../../libs/db/connect.ts');
      const { migrate } = await import('../../../libs/db/migrate.ts');
      const { waitForPostgres } = await import('../wait-for-postgres.ts');
      // No time limit: steps on large tables take time, and so does waiting for another process that applies them.
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
