import pRetry, { AbortError } from 'p-retry';
import type { Config } from '../config/config.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { connect, type Database } from '../db/connect.ts';
import { Cluster } from '../db/failover/cluster.ts';
import { clientMaker } from '../db/failover/failover-dialect.ts';
import { FormerSchemaError } from '../db/former-schema.ts';
import { NewerSchemaError, schemaFault } from '../db/migrate.ts';
import type { Log } from '../log/log.ts';
import { loadKeyring } from '../master-key/load.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { Broker } from '../queue/broker.ts';
import { createMessageProbe, type MessageProbe } from '../queue/message-probe.ts';
import { createTopology, type Topology } from '../queue/topology.ts';
import { readDatabaseId } from '../store/maintenance/database-id.ts';
import { loadInstallation, type Installation } from '../store/maintenance/installation.ts';
import { startLossWatch, type LossWatch } from './loss-watch.ts';
import { databaseFault } from './database-fault.ts';
import { measureBroker, measurePool } from './measure.ts';

/** What every process needs. */
export type Context = {
  config: Config;
  log: Log;
  db: Database;
  /** The servers behind `db`, for more pools. */
  cluster: Cluster;
  loss: LossWatch;
  keyring: Keyring;
  installation: Installation;
  /** See `readDatabaseId`. */
  databaseId: string;
  broker: Broker;
  topology: Topology;
  /** What RabbitMQ refuses now. */
  tryBroker: MessageProbe;
  metrics: Metrics;
};

/** Postgres did not do what a process needs. The text of the driver's error may contain anything; `code` is the driver's code. */
class PostgresAwayError extends Error {
  readonly code: string;
  constructor(reason: unknown) {
    const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
    const fault = databaseFault(reason);
    super(code === '' || fault.includes(`(${code})`) ? fault : `${fault} (${code})`);
    this.name = 'PostgresAwayError';
    this.code = code;
  }
}

/** Postgres answers, but `sealift migrate` has not run yet. */
class SchemaMissingError extends Error {}

// A look takes a moment and locks only the row of the branch.
const LOOK_LIMITS = { statementMs: 10_000, lockMs: 5000, idleInTransactionMs: 5000 };

// Waits until the caller's signal ends it.
const WAIT = { retries: Infinity, minTimeout: 200, maxTimeout: 5000 };

/**
 * Unwraps wrapped master keys, waits until the database answers with a suitable schema, then opens what every process
 * needs. Does not start the broker: its users register their set-ups first. Throws at once if waiting does not help
 * (master key, newer or former schema), or if a key service is away for too long. If `signal` ends the wait, it throws what is
 * missing. `onMissing` is told each time what it waits for.
 */
export async function openContext(options: {
  config: Config;
  log: Log;
  name: string;
  signal?: AbortSignal;
  metrics?: Metrics;
  onMissing?: (missing: string) => void;
}): Promise<Context> {
  const { config, log, name, onMissing } = options;
  const keyring = await loadKeyring(config, {
    signal: options.signal,
    onWait: ({ message }) => {
      log.warn(`waiting for the master key: ${message}`);
      onMissing?.(`the master key: ${message}`);
    },
  });
  const cluster = new Cluster(config.DATABASE_URL);
  const db = connect({
    cluster,
    poolSize: config.DATABASE_POOL_SIZE,
    name: `sealift-${name}`,
  });
  try {
    await waitForSchema(db, options);
    const installation = await loadInstallation(db, keyring);
    const databaseId = await readDatabaseId(db);
    const broker = new Broker({ url: config.AMQP_URL, name: `sealift-${name}`, log });
    const metrics = options.metrics ?? createMetrics({ service: name });
    measurePool({ db, metrics });
    measureBroker({ broker, metrics });
    const topology = createTopology(config);
    const tryBroker = createMessageProbe(broker, topology);
    const loss = await startLossWatch({ db, databaseId, config, log, metrics });
    cluster.watch(clientMaker({ application_name: `sealift-${name}-look` }, LOOK_LIMITS), log);
    const parts = { config, log, db, cluster, loss, keyring, installation, databaseId };
    return { ...parts, broker, topology, tryBroker, metrics };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Undoes `openContext`; idempotent. */
export async function closeContext(context: Context): Promise<void> {
  await context.broker.stop();
  await context.loss.stop();
  await context.cluster.stop();
  await context.db.destroy();
}

type Waiting = { log: Log; signal?: AbortSignal; onMissing?: (missing: string) => void };

async function waitForSchema(db: Database, { log, signal, onMissing }: Waiting): Promise<void> {
  let missing = new Error('stopped while waiting for Postgres');
  try {
    await pRetry(() => requireSchema(db), {
      ...WAIT,
      signal,
      onFailedAttempt: ({ error }) => {
        missing = error instanceof SchemaMissingError ? error : new PostgresAwayError(error);
        if (missing === error) log.warn(`waiting for the schema: ${error.message}`);
        else log.warn({ error, reason: missing.message }, 'waiting for Postgres');
        onMissing?.(missing.message);
      },
    });
  } catch (error) {
    throw signal?.aborted ? missing : error;
  }
}

async function requireSchema(db: Database): Promise<void> {
  const fault = await schemaFault(db).catch((error: unknown) => {
    const isHopeless = error instanceof NewerSchemaError || error instanceof FormerSchemaError;
    throw isHopeless ? new AbortError(error) : error;
  });
  if (fault !== null) throw new SchemaMissingError(fault);
}
