import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../../libs/config/config.ts';
import { connect } from '../../libs/db/connect.ts';
import { createLog, type Log } from '../../libs/log/log.ts';
import { closeContext, openContext, type Context } from '../../libs/service/context.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { startApi } from '../../services/api/start.ts';
import { createClient, type Client } from './client.ts';
import { createDatabase, type Carried, type TestDatabase } from './database.ts';
import { infrastructure } from './infrastructure.ts';
import { deleteQueues } from './queues.ts';

/** Starts one more service next to the API, in the test's process. */
export type Starter = (context: Context) => Promise<Service>;

export type SealiftOptions = {
  /** Environment variables that override the harness's own. */
  environment?: Record<string, string>;
  /** Workers to start. Each has its own context, like a process. */
  workers?: Record<string, Starter>;
  log?: Log;
  /** Leads the database's URL through something that stands before it. */
  through?: (url: string) => string;
  /** What the database carries. */
  carried?: Carried;
  /** Another spelling of the database's host: a name that needs a DNS look-up. */
  databaseHost?: string;
};

/** A running installation: its own database and queues, a real API on a free port, and a client with the root token. */
export type Sealift = {
  url: string;
  /** The secret of a root token. */
  token: string;
  client: Client;
  /** The API's own context. Tests use it to look into the database. */
  context: Context;
  config: Config;
  /** The database itself, with nothing before it. */
  database: TestDatabase;
  environment: Record<string, string>;
  /** Starts another API or worker on the same database and queues. */
  start: (name: string, starter: Starter) => Promise<Service>;
  stop: () => Promise<void>;
};

/** Undo: `stop`, which ends everything and removes the database and the queues. */
export async function startSealift(options: SealiftOptions = {}): Promise<Sealift> {
  const database = await createDatabase(options.carried);
  const { amqpUrl } = infrastructure();
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const url = new URL(options.through?.(database.url) ?? database.url);
  url.hostname = options.databaseHost ?? url.hostname;
  const environment = {
    DATABASE_URL: url.href,
    AMQP_URL: amqpUrl,
    AMQP_PREFIX: prefix,
    SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    HEALTH_PORT: '0',
    // `TEST_LOG_LEVEL=error make test …` shows why an answer is an internal error.
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    SECRETS_RATE_LIMIT_PER_TOKEN: '0',
    SECRETS_RATE_LIMIT_PER_ADDRESS: '0',
    SAML_RATE_LIMIT_PER_ADDRESS: '0',
    SWEEP_INTERVAL: '500',
    ...options.environment,
  };
  const config = loadConfig(environment);
  const log = options.log ?? createLog({ service: 'test', level: config.LOG_LEVEL });
  const running: { service: Service; context: Context }[] = [];

  const start = async (name: string, starter: Starter): Promise<Service> => {
    const context = await openContext({ config, log, name });
    const service = await starter(context);
    const part = { service, context };
    running.push(part);
    const stop = async (): Promise<void> => {
      const index = running.indexOf(part);
      if (index === -1) return;
      running.splice(index, 1);
      await service.stop();
      await closeContext(context);
    };
    return { ...service, stop };
  };

  await switchRateLimitOff(database.url);
  const api = (await start('api', startApi)) as Service & { port: number };
  const context = running[0]?.context;
  if (!context) throw new Error('the API did not start');
  for (const [name, starter] of Object.entries(options.workers ?? {})) await start(name, starter);

  const secret = await createRootToken(context.db, context.installation.hashKey);
  const apiUrl = `http://127.0.0.1:${api.port}`;
  return {
    url: apiUrl,
    token: secret,
    client: createClient(apiUrl, secret),
    context,
    config,
    database,
    environment,
    start,
    stop: async () => {
      for (const part of running.splice(0).reverse()) {
        await part.service.stop();
        await closeContext(part.context);
      }
      await database.drop();
      await deleteQueues(amqpUrl, prefix);
    },
  };
}

// Tests call more often than the rate limit allows. Tests of the limit itself switch it on.
async function switchRateLimitOff(url: string): Promise<void> {
  const db = connect({ url, poolSize: 1, name: 'test-settings' });
  const attributes = JSON.stringify({ 'api-rate-limiting-enabled': false });
  await db('settings').insert({ kind: 'general', attributes });
  await db.destroy();
}
