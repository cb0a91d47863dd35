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
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';
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

  it('the image holds the programs and the packages they need, and no tests, sources or build tools', () => {
    expect(image.user).to.match(/^[1-9]\d*:[1-9]\d*$/);
    for (const path of ['dist/services/api/main.js', 'node_modules/koa', 'LICENSE']) {
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

  it('the image runs every process as a user who can write nothing, until it is told to stop', async () => {
    const kinds = listProcesses();
    const ports = await choosePorts(['api', ...kinds].map(() => undefined));
    const containers = kinds.map((kind, index) => {
      const more = { PORT: String(ports[0]), HEALTH_PORT: String(ports[index + 1]) };
      return { kind, more, container: start([kind], more), url: `http://127.0.0.1:${ports[index + 1]}` };
    });
    for (const { kind, more, container, url } of containers) {
      await eventually(
        async () => {
          const answer = await fetch(`${url}/health/ready`).catch((error: unknown) => {
            throw new Error(`${kind}: ${container.output()}`, { cause: error });
          });
          expect(answer.status, `${kind}: ${await answer.text()}\n${container.output()}`).to.equal(200);
          return true;
        },
        { limitMs: 90_000, everyMs: 200 },
      );
      const check = startContainer(image, image.healthcheck, more);
      expect(await check.ended, `the health check of ${kind}`).to.equal(0);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).to.include(`sealift_broker_connected{service="${kind}"} 1`);
      expect(metrics).to.include(`process_resident_memory_bytes{service="${kind}"}`);
    }
    const answer = await fetch(`http://127.0.0.1:${ports[0]}/health/ready`);
    expect(answer.status).to.equal(200);
    for (const { container } of containers) container.signal('SIGTERM');
    for (const { kind, container } of containers) {
      expect(await container.ended, `${kind}: ${container.output().slice(-2000)}`).to.equal(0);
    }
  });

  it('the image says that a process is not healthy where none answers', async () => {
    const [port] = await choosePorts([undefined]);
    const check = startContainer(image, image.healthcheck, { HEALTH_PORT: String(port) });
    expect(await check.ended).to.equal(1);
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
