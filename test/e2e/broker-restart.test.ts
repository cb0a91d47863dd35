import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { expect } from 'chai';
import { startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { discardServers } from '../../deploy/local/servers.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { signalServer } from '../support/process-group.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

// Uses a broker of its own, because it restarts it. Each claim continues from the one before.
describe('a single RabbitMQ that restarts', () => {
  let root: string;
  let url: string;
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;
  const directory = () => join(root, 'rabbitmq');

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'sealift-broker-'));
    ({ url } = await startRabbitmq({ directory: directory() }));
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: { AMQP_URL: url } });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
  });
  after(async () => {
    await sealift?.stop();
    await fake?.close();
    await discardServers(root);
  });

  const value = (name: string) => fake.entries().find((entry) => entry.name === name)?.value;
  const lookAtQueue = async () => {
    const connection = await connect(url);
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    try {
      return await channel.checkQueue(sealift.context.topology.connectorQueue('cloud1-sm'));
    } finally {
      await connection.close();
    }
  };

  it('a change is pushed although the restart has forgotten its notification', async () => {
    await eventually(() => sealift.context.broker.ready);
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await eventually(async () => (await lookAtQueue()).messageCount > 0);
    await stopRabbitmq(directory());
    await startRabbitmq({ directory: directory() });
    expect((await lookAtQueue()).messageCount).to.equal(0);
    await sealift.start('worker', cloud1Worker(fake));
    await driver.settles('db', 'SYNCED');
    expect(value('db')).to.equal('{"v":1}');
  });

  it('no acknowledged change is lost while RabbitMQ is killed, and it notifies again', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
    for (const name of names) {
      await driver.write(name, { v: 1 });
      await driver.associate(name);
    }
    const writing = (async () => {
      for (const v of [2, 3]) for (const name of names) await driver.write(name, { v });
    })();
    await signalServer({ directory: directory(), name: 'rabbitmq-vm' }, 'SIGKILL');
    await Promise.all([writing, startRabbitmq({ directory: directory() })]);
    await eventually(() => names.every((name) => value(name) === '{"v":3}'));
    await eventually(async () => (await lookAtQueue()).consumerCount === 1);
  });
});
