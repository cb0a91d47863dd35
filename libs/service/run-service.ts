import { setFlagsFromString } from 'node:v8';
import { loadConfig, ConfigError } from '../config/config.ts';
import { redactConfig } from '../config/redact.ts';
import { createLog, type Log } from '../log/log.ts';
import { startTracing } from '../tracing/start.ts';
import { closeContext, openContext, type Context } from './context.ts';
import { contextReadiness, startHealthServer } from './health.ts';

/**
 * A started part of a process. `stop` is idempotent: it takes no new work at once, and finishes the work in flight.
 * `needsBroker`: the process is ready only while it is connected to RabbitMQ; absent: true.
 */
export type Service = { stop: () => Promise<void>; needsBroker?: boolean };

// How far garbage may grow, relative to the live objects, before a collection. By default V8's limit grows with the
// machine's memory, to several times what is needed.
const HEAP_GROWTH_PERCENT = 30;
// V8 allocates objects that it expects to live long directly in the old generation, where only a full collection frees
// them. It is wrong about Knex' transactions, each of which creates 20 KB of functions: every few hundred of them caused
// a full collection.
const ALL_BEGIN_YOUNG = '--no-allocation-site-pretenuring';

/**
 * Runs one process: first it checks the configuration, then opens the context, then starts the service. On SIGTERM or
 * SIGINT it does the reverse, within SHUTDOWN_TIMEOUT. The health server answers while the service runs. If the
 * configuration cannot be used, the process says why and ends with exit code 78.
 */
export async function runService(
  name: string,
  start: (context: Context) => Promise<Service>,
  { heapGrowthPercent = HEAP_GROWTH_PERCENT }: { heapGrowthPercent?: number } = {},
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  setFlagsFromString(ALL_BEGIN_YOUNG);
  const stopping = new AbortController();
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  void signalled.then(() => stopping.abort());

  const config = loadConfigOrExit();
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  // The runtime would print the error's text and fields, which may contain anything.
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught exception');
    process.exit(1);
  });
  log.info({ config: redactConfig(config) }, 'starting');
  try {
    const stopTracing = await startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
    const context = await openContext({ config, log, name, signal: stopping.signal });
    context.metrics.watchProcess();
    const service = await start(context);
    const health = await startHealthServer({
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      readiness: contextReadiness(context, { needsBroker: service.needsBroker ?? true }),
      extra: { '/metrics': context.metrics.render },
    });
    log.info('started');
    log.info({ signal: await signalled }, 'stopping');
    exitAfter(config.SHUTDOWN_TIMEOUT, log);
    await service.stop();
    await health.close();
    await closeContext(context);
    await stopTracing();
    log.info('stopped');
  } catch (error) {
    if (stopping.signal.aborted) return;
    if (error instanceof ConfigError) refuseConfig(error, log);
    // Our own start-up errors contain no secrets; their text is the advice.
    log.fatal({ error, reason: error instanceof Error ? error.message : String(error) }, 'cannot start');
    process.exit(1);
  }
}

function loadConfigOrExit(): ReturnType<typeof loadConfig> {
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
