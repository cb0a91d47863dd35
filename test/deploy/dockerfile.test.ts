import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { listProcesses } from '../../deploy/check/processes.ts';
import { systemdFolder } from '../../deploy/check/systemd.ts';
import { choosePorts } from '../../deploy/local/ports.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';
import { createClient } from '../support/client.ts';
import { kindOf } from '../faults/kinds.ts';
import { prepareCompose } from './support/compose-stage.ts';
import { startContainer, type Container } from './support/container.ts';
import { buildImage, pathIn, type Image } from './support/image.ts';

const marker = randomBytes(6).toString('hex');

describe('the image', function () {
  // Includes a clean installation of packages on a busy machine.
  this.timeout(900_000);
  const running: Container[] = [];
  const keyFile = join(tmpdir(), `sealift-key-${marker}`);
  const database = `sealift_image_${marker}`;
  const prefix = `image-${marker}`;
  let image: Image;
  let environment: Record<string, string>;

  const start = (words: string[], more: Record<string, string> = {}): Container => {
    const container = startContainer(image, [...image.entrypoint, ...words], { ...environment, ...more });
    running.push(container);
    return container;
  };

  before(async () => {
    image = buildImage();
    writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o444 });
    const url = new URL(infrastructure().databaseUrl);
    await administer(`create database ${database}`);
    url.pathname = `/${database}`;
    environment = {
      DATABASE_URL: url.href,
      DATABASE_POOL_SIZE: '3',
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: prefix,
      SEALIFT_MASTER_KEY_FILE: keyFile,
      HOST: '127.0.0.1',
      HEALTH_HOST: '127.0.0.1',
    };
  });

  after(async () => {
    for (const container of running) container.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await administer(`drop database if exists ${database} with (force)`);
    await deleteQueues(infrastructure().amqpUrl, prefix);
    rmSync(keyFile, { force: true });
    image?.remove();
  });

  it('the image has the programs and their packages, and no tests, sources or build tools', () => {
    expect(image.user).to.match(/^[1-9]\d*:[1-9]\d*$/);
    for (const path of ['dist/programs/api/main.js', 'compile-cache', 'node_modules/koa', 'LICENSE']) {
      expect(existsSync(pathIn(image, `/app/${path}`)), path).to.equal(true);
    }
    for (const path of [
      'dist/test',
      'services',
      'libs',
      'node_modules/typescript',
      'node_modules/mocha',
      '.local',
    ]) {
      expect(existsSync(pathIn(image, `/app/${path}`)), path).to.equal(false);
    }
  });

  it('the image brings an empty database up to date, run as the unit for a plain host does', async () => {
    const unit = readFileSync(join(systemdFolder, 'sealift-migrate.service'), 'utf8');
    const words = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.replaceAll('/opt/sealift/', '/app/').split(' ') ?? [];
    const container = startContainer(image, [...words, '--json'], environment);
    expect(await container.ended, container.output()).to.equal(0);
    expect(JSON.parse(container.output()).applied).to.not.have.length(0);
  });

  it('the image makes the first root token', async () => {
    const container = start(['bootstrap', '--json']);
    expect(await container.ended, container.output()).to.equal(0);
    expect(JSON.parse(container.output()).token).to.be.a('string');
  });

  it('the image runs all that the highly available compose file starts, without rights', async () => {
    const kind = kindOf('repo-host');
    const store = await kind.start({});
    const settings = { AMQP_PREFIX: prefix, HOST: '127.0.0.1', HEALTH_HOST: '127.0.0.1' };
    const overrides = { 'connector-repo-host': kind.environment(store, store.url) };
    const stage = await prepareCompose(image, { keyFile, settings, overrides });
    try {
      await Promise.all(stage.names.map(stage.up));
      expect(stage.replicas.map(({ name }) => name).sort()).to.deep.equal(
        listProcesses().flatMap((name) => [name, name]),
      );
      for (const { name, healthUrl } of stage.replicas) {
        const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
        expect(metrics).to.include(`sealift_broker_connected{service="${name}"} 1`);
        expect(metrics).to.include(`process_resident_memory_bytes{service="${name}"}`);
      }
      const { token } = JSON.parse(await stage.run('bootstrap', '--json')) as { token: string };
      const [one, other] = stage.replicas
        .filter(({ name }) => name === 'api')
        .map(({ url }) => createClient(url, token));
      if (!one || !other) throw new Error('there are two APIs');
      const destination = '/v1/sys/sync/destinations/repo-host/acme';
      await one.post(destination, kind.settings(store, store.url, 'widgets'));
      await other.post('/v1/secret/data/app', { data: { key: 'value' } });
      await one.post(`${destination}/associations/set`, { mount: 'secret', secret_name: 'app' });
      await eventually(() => store.entries().length === 1);
      for (const { container } of stage.replicas) container.signal('SIGTERM');
      for (const { name, container } of stage.replicas)
        expect(await container.ended, `${name}: ${container.output().slice(-2000)}`).to.equal(0);
    } finally {
      await stage.discard();
      await store.close();
    }
  });

  it('the image says that a process is not healthy where none answers', async () => {
    const [port] = await choosePorts([undefined]);
    const check = startContainer(image, image.healthcheck, { HEALTH_PORT: String(port) });
    expect(await check.ended).to.equal(1);
  });

  it('the image knows its version', async () => {
    const container = start(['--version']);
    expect(await container.ended, container.output()).to.equal(0);
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    expect(container.output().trim()).to.equal(version);
  });

  it('the image refuses a process it does not have', async () => {
    const container = start(['connector-nowhere']);
    expect(await container.ended).to.equal(64);
    expect(container.output()).to.include('there is no connector of the type nowhere');
  });
});

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: infrastructure().databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
