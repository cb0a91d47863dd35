import type { Knex } from 'knex';
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import type { Cluster, CreateClient } from './cluster.ts';

/** Makes clients with the same settings for any host. Their errors between two statements end nothing else. */
export function clientMaker(settings: pg.ClientConfig): CreateClient {
  return (url, limitMs) => {
    const client = new pg.Client({
      ...settings,
      connectionString: url,
      connectionTimeoutMillis: limitMs,
    });
    // Knex looks at it before it hands a connection out again.
    const dispose = (reason: unknown): void =>
      void Object.assign(client, { __knex__disposed: reason ?? 'the connection ended' });
    client.on('error', dispose);
    client.on('end', () => dispose(undefined));
    return client;
  };
}

/** Knex' dialect of Postgres, whose connections all lead to the primary of a cluster. */
export function failoverDialect(cluster: Cluster): typeof Knex.Client {
  return class FailoverDialect extends PostgresDialect {
    override _acquireOnlyConnection(): Promise<pg.Client> {
      return cluster.connect(clientMaker(this.connectionSettings));
    }
  };
}
