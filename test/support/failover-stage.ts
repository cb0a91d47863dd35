import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../libs/config/config.ts';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { createLog } from '../../libs/log/log.ts';
import { closeContext, openContext, type Context } from '../../libs/service/context.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { startApi } from '../../services/api/start.ts';
import { carryOutByHand } from '../../services/key-maintenance/by-hand.ts';
import { recoverLedger } from '../../services/key-maintenance/jobs/recover-ledger.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { createClient, type Answer, type Client } from './client.ts';
import { eventually } from './eventually.ts';
import { infrastructure } from './infrastructure.ts';
import { hostsOf, startPostgresPair, type PostgresPair } from './postgres-pair.ts';
import { deleteQueues } from './queues.ts';
import { cloud1Settings, cloud1Worker } from './sandboxed.ts';
import type { Starter } from './sealift.ts';

/** A failover is slow on a busy machine. */

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';
const log = createLog({ service: 'test', level: 'silent' });

/** An API and a worker on a primary of Postgres with an asynchronous standby, and a secret with the synced value `one`. */
export type FailoverStage = {
  pair: PostgresPair;
  fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  environment: Record<string, string>;
  /** The API's own context. */
  context: Context;
  client: Client;
  start: (starter: Starter) => Promise<{ service: Service; context: Context }>;
  write: (value: string) => Promise<Answer>;
  read: () => Promise<string>;
  configure: (changed: object) => Promise<Answer>;
  /** The value in the store. */
  stored: () => string | undefined;
  /** Waits until the database has counted this many seconds more. */
  countOn: (seconds: number) => Promise<void>;
  /** Runs the job that makes everything due for a push again. Returns how many associations it concerned. */
  recover: () => Promise<unknown>;
  /** Kills the primary while the standby lacks the effects of `done`, and promotes the standby. */
  failOver: (done?: () => Promise<unknown>) => Promise<void>;
  stop: () => Promise<void>;
};

/** Undo: `stop`. */
export async function openFailoverStage(further: Record<string, string> = {}): Promise<FailoverStage> {
  const [pair, fake] = await Promise.all([startPostgresPair(), startCloud1SmFake()]);
  const environment = environmentOf(pair, further);
  const db = connect({ url: pair.primary.url, poolSize: 1, name: 'test-failover-stage' });
  await migrate(db);
  await db.destroy();
  const parts = createParts(environment);
  const { service, context } = await parts.start(startApi);
  await parts.start(cloud1Worker(fake));
  const token = await createRootToken(context.db, context.installation.hashKey);
  const { port } = service as Service & { port: number };
  const client = createClient(`http://127.0.0.1:${port}`, token);
  const stage: FailoverStage = {
    pair,
    fake,
    environment,
    context,
    client,
    start: parts.start,
    write: (value) => client.post('/v1/secret/data/app', { data: { value } }),
    read: async () => (await client.get('/v1/secret/data/app')).body?.data?.data?.value as string,
    configure: (changed) => client.patch(DESTINATION, changed),
    stored: () => {
      const text = fake.entries()[0]?.value;
      return text ? (JSON.parse(text) as { value: string }).value : undefined;
    },
    countOn: (seconds) => countOn(context, seconds),
    recover: async () => {
      const options = { config: loadConfig(environment), replay: false, report: () => undefined };
      return (await carryOutByHand({ ...recoverLedger, cron: null }, options))?.summary['associations'];
    },
    failOver: async (done) => {
      if (done) {
        await pair.standby.stop();
        await done();
        // The counted seconds that the standby lacks prove the loss.
        await countOn(context, 3);
      }
      await pair.primary.kill();
      if (done) await pair.standby.start();
      await pair.standby.promote();
    },
    stop: async () => {
      await parts.stop();
      await fake.close();
      await pair.discard();
      await deleteQueues(environment.AMQP_URL, environment.AMQP_PREFIX);
    },
  };
  await client.post(DESTINATION, cloud1Settings());
  await stage.write('one');
  await client.post(`${DESTINATION}/associations/set`, { mount: 'secret', secret_name: 'app' });
  await eventually(() => stage.stored() === 'one');
  return stage;
}

function environmentOf({ primary, standby }: PostgresPair, further: Record<string, string>) {
  return {
    DATABASE_URL: hostsOf(primary, standby),
    AMQP_URL: infrastructure().amqpUrl,
    AMQP_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    SWEEP_INTERVAL: '300',
    // With a short time limit, work that was claimed when the primary died is soon claimed again.
    CALL_TIMEOUT: '1500',
    LEASE: '5000',
    ...further,
  };
}

function createParts(environment: Record<string, string>): Pick<FailoverStage, 'start' | 'stop'> {
  const running: { service: Service; context: Context }[] = [];
  return {
    start: async (starter) => {
      const context = await openContext({ config: loadConfig(environment), log, name: 'test' });
      const part = { service: await starter(context), context };
      running.push(part);
      return part;
    },
    stop: async () => {
      for (const part of running.reverse()) {
        await part.service.stop();
        await closeContext(part.context);
      }
    },
  };
}

async function countOn({ db }: Context, seconds: number): Promise<void> {
  const read = async (): Promise<number> =>
    (await db('database_branch').first<{ counted: number }>('counted')).counted;
  const before = await read();
  await eventually(async () => (await read()) >= before + seconds);
}
