import knex, { type Knex } from 'knex';
import pg from 'pg';

export type Database = Knex;

const BIGINT = 20;
const SILENT_TRANSACTION_MS = 15_000;

/** How to reach Postgres; `name` is shown in its activity view. */
export type ConnectOptions = { url: string; poolSize: number; name: string };

/** A pool of connections. Counters (`bigint`) arrive as numbers: none of ours comes near 2^53. Undo: `destroy()`. */
export function connect(options: ConnectOptions): Database {
  return knex({
    client: 'pg',
    connection: {
      connectionString: options.url,
      application_name: options.name,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      // A frozen process, or a machine that vanished, must not keep rows locked: whoever writes them would wait for it.
      idle_in_transaction_session_timeout: SILENT_TRANSACTION_MS,
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text'),
      },
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolSize, acquireTimeoutMillis: 10_000 },
    acquireConnectionTimeout: 10_000,
    // Errors then hold the statement without the values.
    compileSqlOnError: false,
    // Knex would write to standard output; what it says also reaches who asked for the connection.
    log: { debug: ignore, warn: ignore, error: ignore, deprecate: ignore },
  });
}

function ignore(): void {}
