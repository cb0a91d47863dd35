import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { retryConflicts } from '../conflicts.ts';
import { nameRefusedTable } from '../refusals.ts';
import type { SessionLimits } from '../session-sql.ts';
import { isSqlState, TOO_MANY_CONNECTIONS } from '../sql-state.ts';
import { isBadSession, SessionClient } from '../session.ts';
import type { Cluster, CreateClient } from './cluster.ts';

// Shorter than a caller waits for a connection.
const PATIENCE_MS = 8000;
const RETRY_MS = 200;

/**
 * Creates clients with the same settings for any host. An error between two statements only marks the client as unusable.
 */
export function clientMaker(settings: pg.ClientConfig, limits: SessionLimits): CreateClient {
  return (url, limitMs) => {
    const client = new SessionClient(url, { ...settings, connectionTimeoutMillis: limitMs }, limits);
    const end = (reason: unknown): void => dispose(client, reason ?? 'the connection ended');
    client.on('error', end);
    client.on('end', () => end(undefined));
    return client;
  };
}

/** Knex' Postgres dialect; all its connections go to the primary of a cluster. */
export function failoverDialect(cluster: Cluster, limits: SessionLimits): typeof Knex.Client {
  return class FailoverDialect extends PostgresDialect {
    // Where Postgres lends the pool no more connections, callers share those that there are. An error here would refuse the
    // caller who has waited longest, although a connection may be free in a moment.
    override async _acquireOnlyConnection(): Promise<SessionClient> {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        try {
          return await cluster.connect(clientMaker(this.connectionSettings, limits));
        } catch (error) {
          const { pool } = this as unknown as { pool?: Pool };
          const canShare = pool !== undefined && pool.numUsed() > 0 && pool.numPendingAcquires() > 0;
          if (!isSqlState(error, TOO_MANY_CONNECTIONS) || !canShare || performance.now() > end) throw error;
          await setTimeout(RETRY_MS);
        }
      }
    }

    override async _query(connection: PooledClient, statement: Statement): Promise<object> {
      const own = connection.isShared ? forSharedSession(connection, statement) : statement;
      const run = (): Promise<object> =>
        // oxlint-disable-next-line no-underscore-dangle -- Knex gave it that name.
        super._query(connection, own);
      const { __knexTxId: transaction } = connection;
      const isAlone = transaction === undefined;
      try {
        // Postgres has undone a statement that stands alone. A transaction must be run again as a whole.
        return await (isAlone ? retryConflicts(() => connection.inTransaction(run)) : run());
      } catch (error) {
        if (isBadSession(error)) dispose(connection, error);
        nameRefusedTable(error);
        throw error;
      }
    }
  };
}

/** Knex' pool of connections. */
type Pool = { numUsed: () => number; numPendingAcquires: () => number };

/** Knex' mark on a connection: the transaction that it belongs to. */
type PooledClient = SessionClient & { __knexTxId?: string };

type Statement = { sql: string; options?: { name?: string } };

// Prepared statements stay in the session of the server, so the next transaction would not find them.
function forSharedSession({ beginSql }: SessionClient, statement: Statement): Statement {
  if (statement.sql === 'BEGIN;') return Object.assign(statement, { sql: beginSql });
  if (statement.options?.name === undefined) return statement;
  const { name: _, ...options } = statement.options;
  return Object.assign(statement, { options });
}

// Knex checks this field before it hands out the connection again.
function dispose(client: pg.Client, reason: unknown): void {
  Object.assign(client, { __knex__disposed: reason });
}
