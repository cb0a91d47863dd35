import { setFlagsFromString } from 'node:v8';
import { loadConfig, ConfigError, type Config } from '../config/config.ts';
import { unknownSettings } from '../config/unknown-settings.ts';
import { redactConfig } from '../config/redact.ts';
import { createLog, type Log } from '../log/log.ts';
import { startTracing } from '../tracing/start.ts';
import { FormerSchemaError } from '../db/former-schema.ts';
import { collectOnce } from './collect-once.ts';
import { closeContext, openContext, type Context } from './context.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { logWarnings } from '../log/log-warnings.ts';
import { requireNode } from './require-node.ts';
import { contextReadiness, startHealthServer, type Readiness } from './health.ts';

/**
 * A started part of a process. `stop` is idempotent: it takes no new work at once, and finishes the work in flight.
 * `needsBroker`: the process is ready only while it is connected to RabbitMQ; absent: true.
 */
export type Service = { stop: () => Promise<void>; needsBroker?: boolean };

// How far garbage may grow, relative to the live objects, before a collection. By default V8's limit grows with the
// machine's memory. Measured on 2026-11-27 (2 × AMD EPYC, 24 GiB, Node 24): 12,000 transactions of Knex peak at 200 MiB
// instead of 206 to 232.
const HEAP_GROWTH_PERCENT = 30;
// V8 allocates objects that it expects to live long directly in the old generation, where only a full collection frees
// them. It is wrong about Knex' transactions, each of which creates 20 KB of functions. Measured likewise: a transaction takes
// 40 µs of the processor instead of 80.
const ALL_BEGIN_YOUNG = '--no-allocation-site-pretenuring';

type HealthServer = Awaited<ReturnType<typeof startHealthServer>>;

/**
 * Runs one process: first it checks the configuration, then opens the context, then starts the service. On SIGTERM or
 * SIGINT it does the reverse, within SHUTDOWN_TIMEOUT. The health server answers from the beginning, and tells what the
 * process waits for. If the configuration cannot be used, the process says why and ends with exit code 78.
 */
export async function runService(name: string, start: (context: Context) => Promise<Service>): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString(ALL_BEGIN_YOUNG);
  const stopping = new AbortController();
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  void signalled.then(() => stopping.abort());

  const config = loadConfigOrExit();
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  logWarnings(log);
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  // The runtime would print the error's text and fields, which may contain anything.
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught exception');
    process.exit(1);
  });
  tellSettings(config, log);
  let health: HealthServer | undefined;
  try {
    requireNode();
    const stopTracing = await startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
    const metrics = createMetrics({ service: name });
    metrics.watchProcess();
    let missing = 'it is starting';
    let readiness: Readiness = async () => [missing];
    // A supervisor must not restart a process that waits, and operators ask it for what.
    health = await startHealthServer({
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      readiness: () => readiness(),
      extra: { '/metrics': metrics.render },
    });
    const onMissing = (now: string): void => void (missing = now);
    const context = await openContext({ config, log, name, signal: stopping.signal, metrics, onMissing });
    const service = await start(context);
    readiness = contextReadiness(context, { needsBroker: service.needsBroker ?? true });
    log.info('started');
    collectOnce();
    log.info({ signal: await signalled }, 'stopping');
    exitAfter(config.SHUTDOWN_TIMEOUT, log);
    await service.stop();
    await health.close();
    await closeContext(context);
    await stopTracing();
    log.info('stopped');
  } catch (error) {
    if (stopping.signal.aborted) return await health?.close();
    if (error instanceof ConfigError) refuseConfig(error, log);
    // Our own start-up errors contain no secrets; their text is the advice.
    log.fatal({ error, reason: error instanceof Error ? error.message : String(error) }, 'cannot start');
    // A supervisor need not try again: only another DATABASE_URL helps.
    process.exit(error instanceof FormerSchemaError ? 78 : 1);
  }
}

function tellSettings(config: Config, log: Log): void {
  log.info({ config: redactConfig(config) }, 'starting');
  const unknown = unknownSettings();
  if (unknown.length > 0)
    log.warn({ variables: unknown }, 'variables that are probably misspelled settings are ignored');
}

function loadConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return refuseConfig(error, createLog({ service: 'sealift', level: 'info' }));
  }
}

function refuseConfig({ faults }: ConfigError, log: Log): never {
  log.fatal({ faults }, 'the configuration is not valid');
  process.exit(78);
}

function exitAfter(milliseconds: number, log: Log): void {
  setTimeout(() => {
    log.error('the process did not stop in time');
    process.exit(1);
  }, milliseconds).unref();
}
