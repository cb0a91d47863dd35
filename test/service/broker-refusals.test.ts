import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { createTopology, type Topology } from '../../libs/queue/topology.ts';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { startAlarmedBroker, type AlarmedBroker } from '../support/alarm.ts';
import { spawnProcess } from '../support/child-process.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PASSWORD = 'hidden-pass-word';

type Report = { code: string; about: string };

// Everything goes through the real programs: the log and the readiness of a worker, `sys/status` of an API, and doctor.
describe('a RabbitMQ that answers but does not do what is asked', () => {
  let server: AlarmedBroker;
  let sealift: Sealift;
  let operator: ChannelModel;
  let topology: Topology;
  let prefix: string;

  before(async () => {
    server = await startAlarmedBroker();
    sealift = await startSealift({ environment: { AMQP_URL: server.url } });
    await sealift.client.post('/v1/sys/sync/destinations/hosting-project/site', {
      access_token: 'a-hidden-token',
      project_id: 'prj_1',
      deployment_environments: ['production'],
    });
    await server.control('add_user', 'limited', PASSWORD);
    operator = await connect(server.url);
  });
  after(async () => {
    await operator?.close();
    await sealift?.stop();
    await server?.stop();
  });
  beforeEach(() => {
    prefix = `own-${randomBytes(4).toString('hex')}`;
    topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
  });

  const urlOf = (username: string, password: string, vhost = ''): string => {
    const url = new URL(server.url);
    url.username = username;
    url.password = password;
    url.pathname = `/${vhost}`;
    return url.href;
  };
  const allow = (configure: string, write: string, read: string) =>
    server.control('set_permissions', 'limited', configure, write, read);
  // Another user declares what exists already, as if the rights had been taken away later.
  const declareAll = async (): Promise<void> => {
    const environment = { ...sealift.environment, AMQP_PREFIX: prefix };
    const worker = await spawnProcess('programs/settings/main.js', environment);
    await worker.ready();
    await worker.kill();
  };

  const expectTold = async (url: string, { code, about }: Report, mend?: () => Promise<void>) => {
    const environment = { ...sealift.environment, AMQP_URL: url, AMQP_PREFIX: prefix, LOG_LEVEL: 'warn' };
    const port = await choosePort(undefined);
    const worker = await spawnProcess('programs/settings/main.js', environment);
    const api = await spawnProcess('programs/api/main.js', { ...environment, PORT: String(port) });
    try {
      const said = `(${code})`;
      await eventually(async () => {
        const answer = await fetch(`${worker.healthUrl}/health/ready`);
        const { missing } = (await answer.json()) as { missing: string[] };
        expect(answer.status).to.equal(503);
        return expect(missing.join('\n')).to.contain(said).and.to.contain(about);
      });
      const client = createClient(`http://127.0.0.1:${port}`, sealift.token);
      await eventually(
        async () => {
          const { findings } = (await client.get('/v1/sys/status')).body.data as { findings: Finding[] };
          expectFinding(findings, said, about);
          return true;
        },
        { everyMs: 200 },
      );
      const doctor = await runCommand(['doctor', '--no-egress', '--json'], environment);
      expectFinding((JSON.parse(doctor.stdout) as { findings: Finding[] }).findings, said, about);
      expect(doctor.code).to.equal(5);
      const output = await eventually(() => {
        expect(worker.output()).to.contain(code).and.to.contain(about);
        return worker.output();
      });
      for (const line of output.split('\n').filter((text) => text.includes(code))) {
        expect(JSON.parse(line)).to.include({ code }).and.to.include.keys('advice', 'object');
        expect(JSON.parse(line)).not.to.have.any.keys('error', 'at', 'stack');
      }
      expect(output + api.output() + doctor.stdout + doctor.stderr)
        .not.to.contain(PASSWORD)
        .and.not.to.contain(new URL(server.url).password);
      if (!mend) return;
      await mend();
      await worker.ready(60_000);
    } finally {
      await Promise.all([worker.kill(), api.kill()]);
    }
  };
  const expectFinding = (findings: Finding[], code: string, about: string): void => {
    const broken = findings.filter(({ state, detail }) => state === 'failed' && detail.includes(code));
    expect(broken.map(({ detail }) => detail).join('\n')).to.contain(about);
    for (const { check, advice } of broken) expect([check, Boolean(advice)]).to.deep.equal(['broker', true]);
    const advice = findings.map((finding) => finding.advice ?? '').join('\n');
    expect(advice).not.to.contain('start RabbitMQ,');
  };

  it('a password that RabbitMQ refuses is told as that, without showing it', async () => {
    await expectTold(urlOf('limited', `${PASSWORD}-wrong`), {
      code: '403 ACCESS_REFUSED',
      about: 'password',
    });
  });

  it('a virtual host that does not exist is told by its name', async () => {
    await expectTold(urlOf('limited', PASSWORD, 'nowhere'), {
      code: '530 NOT_ALLOWED',
      about: "virtual host 'nowhere'",
    });
  });

  it('a virtual host that does not let the user in is told by its name, and used once it does', async () => {
    await server.control('clear_permissions', 'limited');
    const reply = { code: '530 NOT_ALLOWED', about: "virtual host '/'" };
    await expectTold(urlOf('limited', PASSWORD), reply, () => allow('.*', '.*', '.*'));
  });

  it('a user who may not declare queues is told with the queue, and goes on once it may', async () => {
    await declareAll();
    await allow('^$', '.*', '.*');
    const reply = { code: '403 ACCESS_REFUSED', about: `may not configure the queue '${prefix}.` };
    await expectTold(urlOf('limited', PASSWORD), reply, () => allow('.*', '.*', '.*'));
  });

  it('a user who may not send is told with the exchange, although every queue could be declared', async () => {
    await declareAll();
    await allow('.*', `^${prefix}\\.events$`, '.*');
    await expectTold(urlOf('limited', PASSWORD), {
      code: '403 ACCESS_REFUSED',
      about: "may not write to the exchange 'amq.default'",
    });
  });

  it('a user who may not read is told with the queue, and goes on once it may', async () => {
    await declareAll();
    await allow('.*', '.*', '^$');
    const reply = { code: '403 ACCESS_REFUSED', about: `may not read the queue '${prefix}.` };
    await expectTold(urlOf('limited', PASSWORD), reply, () => allow('.*', '.*', '.*'));
  });

  it('a user with exactly the rights that the documentation names can do everything', async () => {
    const page = join(projectRoot, 'docs/operations.md');
    const documented = /^rabbitmqctl set_permissions .*$/m.exec(readFileSync(page, 'utf8'))?.[0];
    const command = documented?.replace('USER', 'limited').replaceAll('sealift', prefix);
    await promisify(execFile)('sh', ['-ec', `PATH="$0:$PATH"; ${command}`, server.directory]);
    const environment = {
      ...sealift.environment,
      AMQP_URL: urlOf('limited', PASSWORD),
      AMQP_PREFIX: prefix,
      LOG_LEVEL: 'warn',
    };
    const port = await choosePort(undefined);
    const worker = await spawnProcess('programs/settings/main.js', environment);
    const api = await spawnProcess('programs/api/main.js', { ...environment, PORT: String(port) });
    try {
      await worker.ready();
      const client = createClient(`http://127.0.0.1:${port}`, sealift.token);
      await eventually(async () => (await client.get('/health/ready')).status === 200);
      const path = '/api/v2/admin/smtp-settings';
      const body = { data: { type: 'smtp-settings', attributes: { enabled: false } } };
      await eventually(async () => expect((await client.patch(path, body)).status).to.equal(200));
      const doctor = await runCommand(['doctor', '--no-egress', '--json'], environment);
      expect(doctor.code, doctor.stdout).to.equal(0);
      expect(worker.output() + api.output()).to.equal('');
    } finally {
      await Promise.all([worker.kill(), api.kill()]);
    }
  });

  it('a queue that was declared otherwise is told by its name, not as missing workers', async () => {
    const queue = topology.commandQueue('settings');
    const channel = await operator.createChannel();
    await channel.assertQueue(queue, { durable: true });
    const reply = { code: '406 PRECONDITION_FAILED', about: `the queue '${queue}' was declared otherwise` };
    await expectTold(server.url, reply, async () => void (await channel.deleteQueue(queue)));
    await channel.close();
  });

  it('an exchange that was declared otherwise is told by its name', async () => {
    const channel = await operator.createChannel();
    await channel.assertExchange(topology.events, 'fanout', { durable: true });
    await channel.close();
    await expectTold(server.url, {
      code: '406 PRECONDITION_FAILED',
      about: `the exchange '${topology.events}' was declared otherwise`,
    });
  });

  it('a broker that is short of memory is told although it answers, and is used again afterwards', async () => {
    await server.alarm(true);
    const reply = { code: 'connection.blocked', about: 'short of memory' };
    await expectTold(server.url, reply, () => server.alarm(false));
  });

  it('an alarm of RabbitMQ makes nobody start workers that may run', async () => {
    await declareAll();
    const environment = { ...sealift.environment, AMQP_PREFIX: prefix };
    const examineWorkers = async () => {
      const { stdout } = await runCommand(['doctor', '--no-egress', '--json'], environment);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return findings.find(({ check }) => check === 'workers');
    };
    expect((await examineWorkers())?.state).to.equal('warning');
    await server.alarm(true);
    const workers = await examineWorkers();
    await server.alarm(false);
    expect(workers).to.include({ check: 'workers', state: 'skipped' }).and.not.include.keys('advice');
    expect(workers?.detail).to.include('RabbitMQ is in alarm');
  });

  it('a full queue that refuses messages is told by its name, until it takes them', async () => {
    await declareAll();
    const channel = await operator.createConfirmChannel();
    const policy = '{"max-length":1,"overflow":"reject-publish"}';
    await server.control('set_policy', 'full', `^${prefix}\\.probe$`, policy);
    // The broker applies the policy, and notices that the queue is full, a moment later.
    await eventually(async () => {
      channel.sendToQueue(topology.probe, Buffer.from('fills'));
      return channel.waitForConfirms().then(
        () => false,
        () => true,
      );
    });
    const reply = { code: 'basic.nack', about: `the queue '${topology.probe}'` };
    await expectTold(server.url, reply, async () => {
      await server.control('clear_policy', 'full');
      await channel.purgeQueue(topology.probe);
    });
    await channel.close();
  });
});
