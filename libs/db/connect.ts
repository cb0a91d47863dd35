import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { Cluster } from './failover/cluster.ts';
import { failoverDialect } from './failover/failover-dialect.ts';
import type { SessionLimits } from './session-sql.ts';
import type { SessionClient } from './session.ts';

export type Database = Knex;

const getTypeParser: typeof pg.types.getTypeParser = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
const SILENT_TRANSACTION_MS = 15_000;
const SILENT_SERVER_MS = 60_000;
const LOCK_MS = 30_000;
// Longer than we wait, so that only a statement that we gave up ends by it.
const STATEMENT_MARGIN_MS = 5000;

/**
 * How to reach Postgres: by a URL, which may name several hosts, or by a cluster that several pools of a process share.
 * `name` is shown in Postgres' activity view. If a statement gets no answer for `silenceMs`, its connection is closed, and
 * Postgres ends the statement soon after; 0: statements may take any time. A statement that waits longer than
 * `lockTimeoutMs` for a lock fails (55P03); absent: 30 s, or any time if statements may take any time.
 */
export type ConnectOptions = ({ url: string } | { cluster: Cluster }) & {
  poolSize: number;
  name: string;
  silenceMs?: number;
  lockTimeoutMs?: number;
};

/** A connection of the driver; `readyForQuery` is false while a statement runs. */
type Connection = { connection: { stream: Socket }; readyForQuery: boolean };

/**
 * A pool of connections to the primary. `bigint` arrives as a number: none of our counters comes near 2^53. Undo:
 * `destroy()`.
 */
export function connect(options: ConnectOptions): Database {
  const cluster = 'cluster' in options ? options.cluster : new Cluster(options.url);
  return knex({
    client: failoverDialect(cluster, limitsOf(options)),
    connection: {
      application_name: options.name,
      keepAlive: true,
      types: { getTypeParser },
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.poolSize,
      acquireTimeoutMillis: 10_000,
      afterCreate: (connection: Connection, done: (error: null, connection: Connection) => void) => {
        endSilence(connection, options.silenceMs ?? SILENT_SERVER_MS);
        done(null, connection);
      },
    },
    acquireConnectionTimeout: 10_000,
    // Then errors contain the statement, but not the values.
    compileSqlOnError: false,
    // Knex would write to standard output. The same errors also reach the caller that asked for the connection.
    log: { debug: ignore, warn: ignore, error: ignore, deprecate: ignore },
  });
}

/** Throws what Postgres, or the connection to it, says if no statement can be run. */
export async function ping(db: Database): Promise<void> {
  await db.raw('SELECT 1');
}

/** Whether a caller waits for a connection of the pool, because all are in use. */
export function isExhausted(db: Database): boolean {
  const { pool } = db.client as { pool?: { numPendingAcquires: () => number; numFree: () => number } };
  return pool !== undefined && pool.numPendingAcquires() > 0 && pool.numFree() === 0;
}

/** Whether a pooler stands before Postgres, and lends the pool a session for each transaction. */
export async function isBehindPooler(db: Database): Promise<boolean> {
  const client = db.client as Knex.Client;
  const connection: SessionClient = await client.acquireConnection();
  try {
    return connection.isShared;
  } finally {
    await client.releaseConnection(connection);
  }
}

function limitsOf({ silenceMs = SILENT_SERVER_MS, lockTimeoutMs }: ConnectOptions): SessionLimits {
  const isPatient = silenceMs === 0;
  return {
    statementMs: isPatient ? 0 : silenceMs + STATEMENT_MARGIN_MS,
    lockMs: lockTimeoutMs ?? (isPatient ? 0 : LOCK_MS),
    // A frozen process, or a machine that vanished, must not keep rows locked: other writers of those rows would wait
    // for it.
    idleInTransactionMs: SILENT_TRANSACTION_MS,
  };
}

// A machine that vanished closes no connection. The system resends unacknowledged data for a quarter of an hour, and
// waits about two hours for the answer to acknowledged data. Without this limit, the pool's connections could not go to
// the machine's successor for that long.
function endSilence(connection: Connection, limitMs: number): void {
  const { stream } = connection.connection;
  stream.setTimeout(limitMs, () => {
    if (!connection.readyForQuery) stream.destroy();
  });
}

function ignore(): void {}
