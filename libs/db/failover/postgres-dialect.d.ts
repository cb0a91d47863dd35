declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  import type pg from 'pg';

  /** Knex' client for Postgres: only the parts that are overridden here. */
  export default class PostgresDialect extends Knex.Client {
    connectionSettings: pg.ClientConfig;
    _acquireOnlyConnection(): Promise<pg.Client>;
    _query(connection: pg.Client, statement: { sql: string }): Promise<object>;
  }
}
