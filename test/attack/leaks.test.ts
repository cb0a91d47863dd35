import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import {
  assertCommandQueue,
  assertConnectorQueue,
  assertDeadLetters,
  createTopology,
} from '../../libs/queue/topology.ts';
import { startCloud1SmFake, type Cloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient, type Answer, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { cloud1Environment } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createCanaries } from './canaries.ts';
import { logInAsPod } from './log-in-as-pod.ts';
import { signInByToken } from './push-by-token.ts';
import { pushEverywhere } from './push-secrets.ts';
import { readColumns } from './tables.ts';

const run = promisify(execFile);
const compiled = fileURLToPath(new URL('../..', import.meta.url));

describe('secrets that went everywhere', () => {
  const canaries = createCanaries();
  const make = canaries.make;
  const processes: ServiceProcess[] = [];
  const refusals: Answer[] = [];
  const readings: Answer[] = [];
  const messages: Buffer[] = [];
  let sealift: Sealift;
  let fake: Cloud1SmFake;
  let client: Client;
  let model: ChannelModel;
  let channel: Channel;
  let environment: Record<string, string>;

  before(async () => {
    fake = await startCloud1SmFake();
    const webhookSecret = make('webhook secret');
    sealift = await startSealift({
      environment: {
        RETRY_MIN: '50',
        RETRY_MAX: '200',
        CALL_TIMEOUT: '1000',
        LEASE: '4000',
        SWEEP_INTERVAL: '200',
      },
    });
    canaries.add('master key', sealift.environment['SEALIFT_MASTER_KEY'] ?? '');
    canaries.add('root token', sealift.token);
    const port = await choosePort(undefined);
    environment = {
      ...sealift.environment,
      ...cloud1Environment(fake),
      LOG_LEVEL: 'debug',
      EGRESS_ALLOW: '127.0.0.1',
      NOTIFY_WEBHOOK_SECRET: webhookSecret,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    model = await connect(infrastructure().amqpUrl);
    channel = await model.createChannel();
    await Promise.all(
      [
        'programs/api/main.js',
        'programs/connectors/main.js cloud1-sm',
        'programs/connectors/main.js repo-host',
        'programs/key-maintenance/main.js',
      ].map(start),
    );
    client = createClient(`http://127.0.0.1:${environment['PORT']}`, sealift.token);
    await listenToEvents();
    await pushEverywhere({
      client,
      fake,
      make,
      plain,
      add: canaries.add,
      accepted,
      refused,
      readings,
      start,
      takeCommand,
    });
    for (const secret of await signInByToken(client, fake)) canaries.add('identity token', secret);
    const { secrets, refused: ofPods } = await logInAsPod(client);
    for (const secret of secrets) canaries.add('token of a service account', secret);
    refusals.push(...ofPods);
    readings.push(await client.get('/auth/cluster/config'));
    await collectMessages();
  });

  after(async () => {
    for (const child of processes) await child.kill();
    await model.close();
    await sealift.stop();
    await fake.close();
  });

  it('a leaked canary would be found, in whatever encoding', async () => {
    const { text } = await client.get('/secret/data/other');
    expect(canaries.findIn(text)).to.not.deep.equal([]);
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      for (const before of ['', 'a', 'bc']) {
        const found = canaries.findIn(Buffer.from(`${before}${sealift.token}.`).toString(encoding));
        expect(found, `${encoding} ${before}`).to.not.deep.equal([]);
      }
    }
  });

  it('secrets are nowhere in what any process wrote, at the level debug', () => {
    expect(processes).to.have.length(5);
    for (const child of processes) {
      expect(child.output().length).to.be.greaterThan(100);
      expect(canaries.findIn(child.output())).to.deep.equal([]);
    }
  });

  it('secrets are in no column of the database but sealed', async () => {
    const places = new Set<string>();
    for await (const { place, bytes } of readColumns(sealift.context.db)) {
      places.add(place);
      expect(canaries.findIn(bytes), place).to.deep.equal([]);
    }
    for (const table of ['secret_versions', 'destinations', 'settings', 'tokens', 'audit']) {
      expect([...places].join(' ')).to.include(table);
    }
  });

  it('secrets are in no event, work notification, command or dead letter', () => {
    expect(messages.length).to.be.greaterThan(3);
    for (const message of messages) expect(canaries.findIn(message)).to.deep.equal([]);
  });

  it('secrets are in no refusal', () => {
    expect(refusals.length).to.be.greaterThan(15);
    for (const { status, text, headers } of refusals) {
      expect(status, text).to.be.greaterThan(399);
      expect(canaries.findIn(text + JSON.stringify(headers)), text).to.deep.equal([]);
    }
  });

  it('secrets are in no destination, settings document, history or audit entry that is read back', () => {
    for (const { status, text } of readings) {
      expect(status, text).to.equal(200);
      expect(canaries.findIn(text), text.slice(0, 300)).to.deep.equal([]);
    }
  });

  it('secrets are in no metric', async () => {
    for (const { healthUrl } of processes) {
      for (const path of ['/metrics', '/health/ready', '/health/live']) {
        const text = await (await fetch(`${healthUrl}${path}`)).text();
        expect(canaries.findIn(text), path).to.deep.equal([]);
      }
    }
  });

  it('secrets are in no argument of any process', async () => {
    const { stdout } = await run('ps', ['-eo', 'args', '-ww'], { maxBuffer: 16 * 1024 * 1024 });
    expect(stdout).to.include('programs/api/main.js');
    expect(canaries.findIn(stdout)).to.deep.equal([]);
  });

  it('secrets are not told by the command line, nor by a configuration that is refused', async () => {
    const attempts: [string[], Record<string, string>][] = [
      [['migrate'], {}],
      [['bootstrap'], {}],
      [['job', 'absent'], {}],
      [['bootstrap'], { SEALIFT_MASTER_KEY: make('a master key of the wrong size') }],
      [
        ['migrate'],
        {
          DATABASE_URL: `postgres://a:${encodeURIComponent(make('password'))}@127.0.0.1:1/a`,
          LOG_LEVEL: 'loud',
        },
      ],
    ];
    for (const [words, more] of attempts) {
      const program = join(compiled, 'programs/cli/main.js');
      const options = { env: { ...process.env, ...environment, ...more }, timeout: 15_000 };
      const { stdout, stderr } = await run(process.execPath, [program, ...words], options).catch(
        (error: unknown) => error as { stdout: string; stderr: string },
      );
      expect(canaries.findIn(stdout + stderr), words.join(' ')).to.deep.equal([]);
    }
  });

  /** A secret of letters and digits only, for fields that refuse other characters. */
  function plain(kind: string): string {
    const value = make(kind).replaceAll(/\W/g, '');
    canaries.add(kind, value);
    return value;
  }

  async function start(program: string): Promise<void> {
    processes.push(await startProcess(program, environment));
  }

  async function refused(answer: Promise<Answer>): Promise<void> {
    refusals.push(await answer);
  }

  async function accepted(answer: Promise<Answer>): Promise<Answer> {
    const { status, text } = await answer;
    expect(status, text).to.be.lessThan(300);
    return answer;
  }

  async function listenToEvents(): Promise<void> {
    const topology = createTopology(sealift.config);
    const { events } = topology;
    // Reading from a missing queue would close the channel.
    await assertCommandQueue(channel, topology.commandQueue('settings'));
    await assertConnectorQueue(channel, topology.connectorQueue('cloud2-kv'), topology.workQueueKind);
    await assertDeadLetters(channel, topology.deadLetters);
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, events, '#');
    await channel.consume(queue, (message) => void (message && messages.push(whole(message))), {
      noAck: true,
    });
  }

  /** Reads the command that waits for a worker which does not run, before it expires. */
  async function takeCommand(): Promise<void> {
    const topology = createTopology(sealift.config);
    await eventually(() => takeFrom(topology.commandQueue('settings')), { limitMs: 3000 });
  }

  async function collectMessages(): Promise<void> {
    const topology = createTopology(sealift.config);
    const target = topology.connectorQueue('cloud1-sm');
    channel.sendToQueue(target, Buffer.from('what no worker can read'));
    await eventually(() => takeFrom(topology.connectorQueue('cloud2-kv')));
    await eventually(() => takeFrom(topology.deadLetters));
  }

  async function takeFrom(queue: string): Promise<boolean> {
    const message = await channel.get(queue, { noAck: true });
    if (!message) return false;
    messages.push(whole(message));
    return true;
  }
});

function whole({
  content,
  properties,
  fields,
}: {
  content: Buffer;
  properties: unknown;
  fields: unknown;
}): Buffer {
  return Buffer.concat([content, Buffer.from(JSON.stringify({ properties, fields }))]);
}
