import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { loadConfig } from '../../libs/config/config.ts';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { createLog } from '../../libs/log/log.ts';
import { closeContext, openContext, type Context } from '../../libs/service/context.ts';
import { contextReadiness } from '../../libs/service/health.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { findStaleLedger } from '../../libs/store/maintenance/lost-writes.ts';
import { startApi } from '../../services/api/start.ts';
import { carryOutByHand } from '../../services/key-maintenance/by-hand.ts';
import { recoverLedger } from '../../services/key-maintenance/jobs/recover-ledger.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { hostsOf, setSynchronous, startPostgresPair, type PostgresPair } from '../support/postgres-pair.ts';
import { deleteQueues } from '../support/queues.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';
// A failover takes its time on a busy machine.
const PATIENT = { limitMs: 30_000 };
const log = createLog({ service: 'test', level: 'silent' });

describe('a failover of the database', function () {
  this.timeout(120_000);
  let pair: PostgresPair;
  let fake: Fake;
  let environment: Record<string, string>;
  let context: Context;
  let client: Client;
  let running: { service: Service; context: Context }[];

  beforeEach(async () => {
    [pair, fake] = await Promise.all([startPostgresPair(), startCloud1SmFake()]);
    environment = {
      DATABASE_URL: hostsOf(pair.primary, pair.standby),
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      SWEEP_INTERVAL: '300',
    };
    const db = connect({ url: pair.primary.url, poolSize: 1, name: 'test-lost-writes' });
    await migrate(db);
    await db.destroy();
    running = [];
    const api = (await start(startApi)) as Service & { port: number };
    await start(cloud1Worker(fake));
    const first = running[0]?.context;
    if (!first) throw new Error('the API did not start');
    context = first;
    const token = await createRootToken(context.db, context.installation.hashKey);
    client = createClient(`http://127.0.0.1:${api.port}`, token);
    await client.post(DESTINATION, cloud1Settings());
    await write('one');
    await client.post(`${DESTINATION}/associations/set`, { mount: 'secret', secret_name: 'app' });
    await eventually(() => stored() === 'one');
  });

  afterEach(async () => {
    for (const part of running.reverse()) {
      await part.service.stop();
      await closeContext(part.context);
    }
    await fake.close();
    await pair.discard();
    await deleteQueues(environment['AMQP_URL'] ?? '', environment['AMQP_PREFIX'] ?? '');
  });

  async function start(starter: (context: Context) => Promise<Service>): Promise<Service> {
    const own = await openContext({ config: loadConfig(environment), log, name: 'test' });
    const service = await starter(own);
    running.push({ service, context: own });
    return service;
  }
  const write = (value: string) => client.post('/v1/secret/data/app', { data: { value } });
  const stored = (): string | undefined => {
    const text = fake.entries()[0]?.value;
    return text ? (JSON.parse(text) as { value: string }).value : undefined;
  };
  const read = async (): Promise<string> =>
    (await client.get('/v1/secret/data/app')).body?.data?.data?.value as string;
  const countOf = async (): Promise<number> =>
    (await context.db('database_branch').first<{ counted: number }>('counted')).counted;
  const job = async () => {
    const options = { config: loadConfig(environment), replay: false, report: () => undefined };
    return carryOutByHand({ ...recoverLedger, cron: null }, options);
  };

  it('a failover that lost acknowledged changes is found, changes nothing until an operator has decided, and then makes SYNCED true again', async () => {
    await pair.standby.stop();
    await write('two');
    await eventually(() => stored() === 'two');
    const before = await countOf();
    await eventually(async () => (await countOf()) > before + 2, PATIENT);
    await pair.primary.kill();
    await pair.standby.start();
    await pair.standby.promote();
    const isReady = contextReadiness(context, { needsBroker: false });
    await eventually(async () =>
      expect(await isReady()).to.deep.equal(['a failover lost changes: somebody has to decide']),
    );
    expect(await read()).to.equal('one');
    const refused = await write('three');
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain('sealift recover lost-writes');
    expect((await context.metrics.render()).body).to.match(/sealift_database_lost_writes\{.*\} 1/);
    expect((await job())?.summary).to.include({ associations: 0 });
    expect(stored()).to.equal('two');

    const decision = await spawnProcess('services/cli/main.js recover lost-writes', environment);
    expect(await decision.ended, decision.output()).to.equal(0);
    expect((await job())?.summary).to.include({ associations: 1 });
    await eventually(() => stored() === 'one', PATIENT);
    await eventually(async () => expect(await isReady()).to.deep.equal([]));
    expect((await write('four')).status).to.equal(200);
    await eventually(() => stored() === 'four', PATIENT);
  });

  it('a failover to a synchronous standby loses nothing, and leaves the ledger as it is', async () => {
    await setSynchronous(pair.primary, true);
    const before = await countOf();
    await eventually(async () => (await countOf()) > before + 2, PATIENT);
    expect((await write('two')).status).to.equal(200);
    await pair.primary.kill();
    await pair.standby.promote();
    await eventually(async () => (await write('three')).status === 200, PATIENT);
    await eventually(() => stored() === 'three', PATIENT);
    expect(await findStaleLedger(context.db)).to.equal(null);
    expect(context.loss.isRefusing()).to.equal(false);
  });

  it('a failover to an asynchronous standby has everything pushed again, since its last moment proves nothing', async () => {
    const before = await countOf();
    await eventually(async () => (await countOf()) > before, PATIENT);
    await pair.primary.kill();
    await pair.standby.promote();
    await eventually(async () => (await write('three')).status === 200, PATIENT);
    expect(await findStaleLedger(context.db)).to.be.a('string');
    expect((await job())?.summary).to.include({ associations: 1 });
    expect(await findStaleLedger(context.db)).to.equal(null);
  });
});
