import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startPostgres, stopPostgres } from '../../deploy/local/postgres.ts';
import { startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { discardServers } from '../../deploy/local/servers.ts';
import { choosePort, choosePorts } from '../../deploy/local/ports.ts';
import { writeState } from '../../deploy/local/state.ts';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { loadInstallation } from '../../libs/store/maintenance/installation.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess, type SpawnedProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings } from '../support/sandboxed.ts';

const KEY = Buffer.alloc(32, 9).toString('base64');
const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

// Uses its own servers, because it stops and starts them. Each claim continues from the one before.
describe('processes and their servers, started in any order', () => {
  let root: string;
  let fake: Fake;
  let api: SpawnedProcess;
  let worker: SpawnedProcess;
  let apiUrl: string;
  let client: Client;
  const postgres = () => ({ directory: join(root, 'postgres'), throwAway: true });
  const rabbitmq = () => ({ directory: join(root, 'rabbitmq') });

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'sealift-order-'));
    chmodSync(root, 0o755);
    fake = await startCloud1SmFake();
    // Both servers keep their address, so the processes can be told it before the servers run.
    const database = await startPostgres(postgres());
    await database.stop();
    const amqpUrl = await prepareRabbitmq(rabbitmq().directory);
    const port = await choosePort(undefined);
    const environment = {
      DATABASE_URL: database.url,
      AMQP_URL: amqpUrl,
      SEALIFT_MASTER_KEY: KEY,
      PORT: String(port),
      LOG_LEVEL: 'info',
      SWEEP_INTERVAL: '500',
      // If a result could not be stored, its association waits for the rest of its lease.
      LEASE: '5000',
      CALL_TIMEOUT: '2000',
      ...cloud1Environment(fake),
    };
    api = await spawnProcess('programs/api/main.js', environment);
    worker = await spawnProcess('programs/connectors/main.js cloud1-sm', environment);
    apiUrl = `http://127.0.0.1:${port}`;
  });

  after(async () => {
    await Promise.all([api?.kill(), worker?.kill()]);
    await fake?.close();
    await discardServers(root);
  });

  const value = (name: string) => fake.entries().find((entry) => entry.name === name)?.value;
  const both = () => [api, worker];
  const write = async (name: string, content: string) => {
    const answer = await client.post(`/v1/secret/data/${name}`, { data: { content } });
    expect(answer.status, answer.text).to.equal(200);
  };
  const associate = async (name: string) => {
    const answer = await client.post(
      `${DESTINATION}/associations/set`,
      { mount: 'secret', secret_name: name },
      { headers: { prefer: 'respond-async' } },
    );
    expect(answer.status, answer.text).to.be.oneOf([200, 202]);
  };

  it('processes without Postgres wait and say for what', async () => {
    await eventually(() => {
      for (const { output } of both()) expect(output()).to.contain('waiting for Postgres');
      return true;
    });
    expect(both().map((one) => one.running())).to.deep.equal([true, true]);
  });

  it('processes that find no schema in Postgres say that, and go on when it comes', async () => {
    const { url } = await startPostgres(postgres());
    await eventually(() => {
      for (const { output } of both()) expect(output()).to.contain('run `sealift migrate`');
      return true;
    });
    const db = connect({ url, poolSize: 2, name: 'test-order' });
    await migrate(db);
    const installation = await loadInstallation(db, createKeyring(Buffer.from(KEY, 'base64')));
    const secret = await createRootToken(db, installation.hashKey);
    await db.destroy();
    client = createClient(apiUrl, secret);
    await api.ready();
  });

  it('the API without RabbitMQ takes writes, and the worker says what it waits for', async () => {
    expect((await client.post(DESTINATION, cloud1Settings())).status).to.equal(200);
    await write('early', 'before the broker');
    await associate('early');
    // The worker connects to the broker only after it has seen the schema, which may be later than for the API.
    await eventually(() => {
      for (const { output } of both()) expect(output()).to.contain('waiting for RabbitMQ');
      return true;
    });
    const health = await fetch(`${worker.healthUrl}/health/ready`);
    expect(health.status).to.equal(503);
    expect(await health.text()).to.contain('RabbitMQ cannot be reached (ECONNREFUSED)');
  });

  it('the worker gets ready when RabbitMQ comes, and what was written before is in the store', async () => {
    await startRabbitmq(rabbitmq());
    await worker.ready();
    await eventually(() => expect(value('early')).to.equal('{"content":"before the broker"}'));
  });

  it('writes are accepted while the broker restarts, and reach the store', async () => {
    await stopRabbitmq(rabbitmq().directory);
    await eventually(async () => (await fetch(`${worker.healthUrl}/health/ready`)).status === 503);
    await write('early', 'while it was away');
    await write('late', 'new while it was away');
    await associate('late');
    await startRabbitmq(rabbitmq());
    await worker.ready();
    await eventually(() => {
      expect(value('early')).to.equal('{"content":"while it was away"}');
      expect(value('late')).to.equal('{"content":"new while it was away"}');
      return true;
    });
    await write('early', 'afterwards');
    await eventually(() => expect(value('early')).to.equal('{"content":"afterwards"}'));
    expect(both().map((one) => one.running())).to.deep.equal([true, true]);
  });

  it('writes are refused with 503 while Postgres restarts, and afterwards taken and pushed', async () => {
    await stopPostgres(postgres().directory);
    const refused = await client.post('/v1/secret/data/early', { data: { content: 'lost' } });
    expect(refused.status).to.equal(503);
    await startPostgres(postgres());
    await api.ready();
    await eventually(async () => {
      await write('early', 'with Postgres again');
      return true;
    });
    await eventually(() => expect(value('early')).to.equal('{"content":"with Postgres again"}'));
    for (const one of both()) {
      await one.kill('SIGTERM');
      expect(await one.ended, one.output().slice(-1000)).to.equal(0);
    }
  });
});

/** Chooses the address of a broker that has not started yet: a start costs seconds. */
async function prepareRabbitmq(directory: string): Promise<string> {
  const [amqp, distribution, mapper] = await choosePorts([undefined, undefined, undefined]);
  const password = randomBytes(24).toString('hex');
  writeState(join(directory, 'rabbitmq.json'), { amqp, distribution, mapper, password });
  return `amqp://sealift:${password}@127.0.0.1:${amqp}`;
}
