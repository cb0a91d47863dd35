import { randomBytes } from 'node:crypto';
import { choosePort } from '../../deploy/local/ports.ts';
import { loadConfig } from '../../libs/config/config.ts';
import { createLog } from '../../libs/log/log.ts';
import { createWorkNotifier, type NotifyWork } from '../../libs/queue/work-notifications.ts';
import { closeContext, openContext, type Context } from '../../libs/service/context.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { startProcess, type ServiceProcess } from '../../test/support/child-process.ts';
import { createDatabase } from '../../test/support/database.ts';
import { infrastructure } from '../../test/support/infrastructure.ts';
import { deleteQueues } from '../../test/support/queues.ts';

/** An installation as in production: the API and each worker run in their own processes, on a new database. */
export type Installation = {
  url: string;
  token: string;
  api: ServiceProcess;
  /** Lets the bench's own process read and fill the database. */
  context: Context;
  environment: Record<string, string>;
  notifyWork: NotifyWork;
  /** The started workers. */
  workers: ServiceProcess[];
  startWorker: (program: string, environment?: Record<string, string>) => Promise<ServiceProcess>;
  stop: () => Promise<void>;
};

const running = new Set<ServiceProcess>();

/** Ends all processes of all installations at once, for an aborted run. */
export async function killServices(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill('SIGKILL')));
}

/** Rate limits are off, and only warnings are logged. Undo: `stop`. */
export async function startInstallation(extra: Record<string, string>): Promise<Installation> {
  const database = await createDatabase();
  const { amqpUrl } = infrastructure();
  const prefix = `bench-${randomBytes(6).toString('hex')}`;
  const environment = {
    DATABASE_URL: database.url,
    AMQP_URL: amqpUrl,
    AMQP_PREFIX: prefix,
    SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    SECRETS_RATE_LIMIT_PER_TOKEN: '0',
    SECRETS_RATE_LIMIT_PER_ADDRESS: '0',
    ...extra,
  };
  const config = loadConfig(environment);
  const log = createLog({ service: 'bench', level: 'silent' });
  const context = await openContext({ config, log, name: 'bench' });
  const attributes = JSON.stringify({ 'api-rate-limiting-enabled': false });
  await context.db('settings').insert({ kind: 'general', attributes });
  const notifyWork = createWorkNotifier(context.broker, context.topology, log);
  context.broker.start();
  const port = await choosePort(undefined);
  const api = await startProcess('programs/api/main.js', { ...environment, PORT: String(port) });
  const workers: ServiceProcess[] = [];
  running.add(api);
  const secret = await createRootToken(context.db, context.installation.hashKey, 'bench');
  return {
    url: `http://127.0.0.1:${port}`,
    token: secret,
    api,
    context,
    environment,
    notifyWork,
    workers,
    startWorker: async (program, more = {}) => {
      const worker = await startProcess(program, { ...environment, ...more });
      workers.push(worker);
      running.add(worker);
      return worker;
    },
    stop: async () => {
      const mine = [api, ...workers];
      await Promise.all(mine.map((service) => service.kill('SIGKILL')));
      for (const service of mine) running.delete(service);
      await closeContext(context);
      await database.drop();
      await deleteQueues(amqpUrl, prefix);
    },
  };
}
