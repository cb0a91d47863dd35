import type { Knex } from 'knex';
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import type { Cluster, CreateClient } from './cluster.ts';

/**
 * Creates clients with the same settings for any host. An error between two statements only marks the client as unusable.
 */
export function clientMaker(settings: pg.ClientConfig): CreateClient {
  return (url, limitMs) => {
    const client = new pg.Client({
      ...settings,
      connectionString: url,
      connectionTimeoutMillis: limitMs,
    });
    // Knex checks this field before it hands out the connection again.
    const dispose = (reason: unknown): void =>
      void Object.assign(client, { __knex__disposed: reason ?? 'the connection ended' });
    client.on('error', dispose);
    client.on('end', () => dispose(undefined));
    return client;
  };
}

/** Knex' Postgres dialect; all its connections go to the primary of a cluster. */
export function failoverDialect(cluster: Cluster): typeof Knex.Client {
  return class FailoverDialect extends PostgresDialect {
    override _acquireOnlyConnection(): Promise<pg.Client> {
      return cluster.connect(clientMaker(this.connectionSettings));
    }
  };
}
