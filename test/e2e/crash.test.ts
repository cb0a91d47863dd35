import { connect } from 'amqplib';
import { expect } from 'chai';
import { createTopology } from '../../libs/queue/topology.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const WORKER = 'programs/connectors/main.js cloud1-sm';

describe('crashes and doubled messages', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: {
        CALL_TIMEOUT: '1000',
        LEASE: '3000',
        SWEEP_INTERVAL: '200',
        RETRY_MIN: '50',
        RETRY_MAX: '500',
      },
    });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const value = (name: string): string | null | undefined =>
    fake.entries().find((entry) => entry.name === name)?.value;
  const startWorker = (more: Record<string, string> = {}) =>
    startProcess(WORKER, { ...sealift.environment, LOG_LEVEL: 'info', ...cloud1Environment(fake), ...more });

  it('a worker killed with SIGKILL while its call is under way loses nothing', async () => {
    const first = await startWorker();
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    fake.addFault({ kind: 'slow', operation: 'PutSecretValue', delayMs: 800, times: 1 });
    fake.clearCalls();
    await driver.write('db', { v: 2 });
    await eventually(() => fake.callsOf('PutSecretValue').length === 1);
    await first.kill('SIGKILL');
    const second = await startWorker();
    await driver.settles('db', 'SYNCED');
    expect(value('db')).to.equal('{"v":2}');
    await second.kill('SIGTERM');
  });

  it('a value that was there before a kill is written again, not taken for unchanged', async () => {
    const first = await startWorker();
    await driver.write('db', { v: 'old' });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    // The newer value reaches the store, but the worker dies before it stores the result.
    fake.addFault({ kind: 'hang-after', operation: 'PutSecretValue', times: 1 });
    await driver.write('db', { v: 'new' });
    await eventually(() => value('db') === '{"v":"new"}');
    await first.kill('SIGKILL');
    const version = await driver.write('db', { v: 'old' });
    const second = await startWorker();
    await eventually(async () => {
      const [record] = await driver.records('db');
      return record?.sync_status === 'SYNCED' && record.synced_version === version;
    });
    expect(value('db')).to.equal('{"v":"old"}');
    await second.kill('SIGTERM');
  });

  it('a worker that is told to stop finishes its push and hands the rest back at once', async () => {
    // Neither a call that is given up on a busy machine nor the end of a lease may be what brings the rest to the second.
    const patient = { CALL_TIMEOUT: '20000', LEASE: '90000' };
    const first = await startWorker(patient);
    fake.addFault({ kind: 'slow', operation: 'CreateSecret', delayMs: 300 });
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => driver.write(name, { name })));
    await Promise.all(
      names.map((name) =>
        sealift.client.post(
          `${driver.path}/associations/set`,
          { mount: 'secret', secret_name: name },
          { headers: { prefer: 'respond-async' } },
        ),
      ),
    );
    await eventually(() => fake.callsOf('CreateSecret').length > 5);
    await first.kill('SIGTERM');
    expect(first.output()).to.contain('"stopped"');
    fake.clearFaults();
    const second = await startWorker(patient);
    await eventually(() => names.every((name) => value(name) === JSON.stringify({ name })));
    await second.kill('SIGTERM');
    const created = fake.calls().filter((call) => call.operation === 'CreateSecret' && call.status === 200);
    expect(created).to.have.length(names.length);
  });

  it('a work notification that is delivered twice causes one push', async () => {
    await sealift.start('worker', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    fake.clearCalls();
    const connection = await connect(sealift.config.AMQP_URL);
    const channel = await connection.createConfirmChannel();
    const queue = createTopology(sealift.config).connectorQueue('cloud1-sm');
    const version = await driver.write('db', { v: 2 });
    for (let copy = 0; copy < 5; copy += 1) {
      channel.sendToQueue(queue, Buffer.from(JSON.stringify({ destinations: [1] })), { persistent: true });
    }
    await channel.waitForConfirms();
    await eventually(async () => (await driver.records('db'))[0]?.synced_version === version);
    await eventually(async () => (await channel.checkQueue(queue)).messageCount === 0);
    await connection.close();
    expect(fake.calls().map((call) => call.operation)).to.deep.equal(['PutSecretValue']);
  });

  it('a work notification that strayed to another type has none of its workers take the work', async () => {
    const other = createSyncDriver(sealift, 'repo-host', 'web');
    await other.configure({ access_token: 'ghp_one', repository_owner: 'acme', repository_name: 'web' });
    for (const secret of ['theirs', 'ours']) await driver.write(secret, { v: 1 });
    await other.associate('theirs');
    const { id } = await sealift.context.db('destinations').where({ type: 'repo-host' }).first('id');
    const connection = await connect(sealift.config.AMQP_URL);
    const channel = await connection.createConfirmChannel();
    const queue = createTopology(sealift.config).connectorQueue('cloud1-sm');
    await sealift.start('worker', cloud1Worker(fake));
    await driver.associate('ours');
    await driver.settles('ours', 'SYNCED');
    channel.sendToQueue(queue, Buffer.from(JSON.stringify({ destinations: [id] })));
    await channel.waitForConfirms();
    await connection.close();
    // This message is behind the other one in the same queue.
    const version = await driver.write('ours', { v: 2 });
    await eventually(async () => (await driver.records('ours'))[0]?.synced_version === version);
    const [record] = await other.records('theirs');
    expect(record).to.include({ sync_status: 'PENDING', attempts: 0 });
  });

  it('a message nobody can read goes to the dead letters and holds up nothing', async () => {
    await sealift.start('worker', cloud1Worker(fake));
    const topology = createTopology(sealift.config);
    const connection = await connect(sealift.config.AMQP_URL);
    const channel = await connection.createConfirmChannel();
    const poison = ['not json', '{}', '{"destinations":["x"]}', '{"destinations":[]}'];
    await eventually(async () => {
      await driver.write('db', { v: 1 });
      return true;
    });
    for (const body of poison) channel.sendToQueue(topology.connectorQueue('cloud1-sm'), Buffer.from(body));
    await channel.waitForConfirms();
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    await eventually(
      async () => (await channel.checkQueue(topology.deadLetters)).messageCount === poison.length,
    );
    const message = await channel.get(topology.deadLetters, { noAck: true });
    expect(message && message.properties.headers?.['x-sealift-reason']).to.equal('unreadable');
    await connection.close();
  });

  it('a change whose work notification was lost is found by the sweep', async () => {
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    const connection = await connect(sealift.config.AMQP_URL);
    const channel = await connection.createChannel();
    await channel.deleteQueue(createTopology(sealift.config).connectorQueue('cloud1-sm'));
    await connection.close();
    await sealift.start('worker', cloud1Worker(fake));
    await driver.settles('db', 'SYNCED');
    expect(value('db')).to.equal('{"v":1}');
  });
});
