import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
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
import { startCloud1SmFake, type Cloud1SmFake } from '../sandbox/cloud1-sm/fake.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient, type Answer, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { cloud1Environment } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createCanaries } from './canaries.ts';
import { readColumns } from './tables.ts';

const run = promisify(execFile);
const compiled = fileURLToPath(new URL('../..', import.meta.url));
const asJsonApi = (attributes: object): object => ({ data: { attributes } });
const noWait = { headers: { prefer: 'respond-async' } };

describe('secrets that were pushed through everything', function () {
  this.timeout(90_000);
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
    environment = {
      ...sealift.environment,
      ...cloud1Environment(fake),
      LOG_LEVEL: 'debug',
      NOTIFY_WEBHOOK_SECRET: webhookSecret,
      PORT: String(await choosePort(undefined)),
    };
    model = await connect(infrastructure().amqpUrl);
    channel = await model.createChannel();
    await Promise.all(
      ['api', 'connectors/cloud1-sm', 'connectors/repo-host', 'key-maintenance'].map((name) =>
        start(`services/${name}/main.js`),
      ),
    );
    client = createClient(`http://127.0.0.1:${environment['PORT']}`, sealift.token);
    await listenToEvents();
    await writeSecrets();
    await makeTokens();
    await configureDestinations();
    await configureSite();
    await sync();
    await beRefused();
    await collectMessages();
  });

  after(async () => {
    for (const child of processes) await child.kill();
    await model.close();
    await sealift.stop();
    await fake.close();
  });

  it('are nowhere in what any process wrote, at the level debug', () => {
    expect(processes).to.have.length(5);
    for (const child of processes) {
      expect(child.output().length).to.be.greaterThan(100);
      expect(canaries.findIn(child.output())).to.deep.equal([]);
    }
  });

  it('are in no column of the database but sealed', async () => {
    const places = new Set<string>();
    for await (const { place, bytes } of readColumns(sealift.context.db)) {
      places.add(place);
      expect(canaries.findIn(bytes), place).to.deep.equal([]);
    }
    const names = [...places].join(' ');
    for (const table of ['secret_versions', 'destinations', 'settings', 'tokens', 'audit']) {
      expect(names).to.include(table);
    }
  });

  it('are in no event, wake-up call, command or dead letter', () => {
    expect(messages.length).to.be.greaterThan(3);
    for (const message of messages) expect(canaries.findIn(message)).to.deep.equal([]);
  });

  it('are in no refusal', () => {
    expect(refusals.length).to.be.greaterThan(15);
    for (const { status, text, headers } of refusals) {
      expect(status, text).to.be.greaterThan(399);
      expect(canaries.findIn(text + JSON.stringify(headers)), text).to.deep.equal([]);
    }
  });

  it('are in no destination, settings document, history or audit entry that is read back', () => {
    for (const { status, text } of readings) {
      expect(status, text).to.equal(200);
      expect(canaries.findIn(text), text.slice(0, 300)).to.deep.equal([]);
    }
  });

  it('are in no metric', async () => {
    for (const { healthUrl } of processes) {
      for (const path of ['/metrics', '/health/ready', '/health/live']) {
        const text = await (await fetch(`${healthUrl}${path}`)).text();
        expect(canaries.findIn(text), path).to.deep.equal([]);
      }
    }
  });

  it('are in no argument of any process', async () => {
    const { stdout } = await run('ps', ['-eo', 'args', '-ww'], { maxBuffer: 16 * 1024 * 1024 });
    expect(stdout).to.include('services/api/main.js');
    expect(canaries.findIn(stdout)).to.deep.equal([]);
  });

  it('are not told by the command line, nor by a configuration that is refused', async () => {
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
      const program = join(compiled, 'services/cli/main.js');
      const options = { env: { ...process.env, ...environment, ...more }, timeout: 15_000 };
      const { stdout, stderr } = await run(process.execPath, [program, ...words], options).catch(
        (error: unknown) => error as { stdout: string; stderr: string },
      );
      expect(canaries.findIn(stdout + stderr), words.join(' ')).to.deep.equal([]);
    }
  });

  /** A secret of letters and digits, for where others are refused. */
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
    const topology = createTopology(environment['AMQP_PREFIX'] ?? '');
    const { events } = topology;
    // Looking into a queue that is not there would end the channel.
    await assertCommandQueue(channel, topology.commandQueue('settings'));
    await assertConnectorQueue(channel, topology.connectorQueue('cloud2-kv'));
    await assertDeadLetters(channel, topology.deadLetters);
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, events, '#');
    await channel.consume(queue, (message) => void (message && messages.push(whole(message))), {
      noAck: true,
    });
  }

  async function writeSecrets(): Promise<void> {
    await accepted(client.post('/sys/mounts/plain', { type: 'kv' }));
    for (const name of ['db', 'other']) {
      await accepted(
        client.post(`/secret/data/${name}`, {
          data: { user: make('value'), deep: { list: [make('inner value')] } },
        }),
      );
    }
    await accepted(client.post('/plain/db', { password: make('plain value') }));
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
    await accepted(client.patch('/secret/data/db', { data: { added: make('patched value') } }, merge));
    await refused(client.post('/secret/data/db', { data: { a: make('value') }, options: { cas: 99 } }));
    await refused(client.post('/secret/data/db', { data: make('data that is no object') }));
    await refused(
      client.post('/secret/data/db', undefined, { raw: `{"data": {"a": "${make('broken JSON')}"` }),
    );
    await refused(
      client.post('/secret/data/db', undefined, {
        raw: `{"data":{"a":"${make('large')}${'x'.repeat(1_200_000)}"}}`,
      }),
    );
    await refused(
      client.patch(
        '/secret/data/db',
        { data: { a: make('value') } },
        { headers: { 'content-type': 'text/plain' } },
      ),
    );
    await refused(
      client.post(
        '/secret/data/db',
        { data: { a: `${make('value')}` }, options: make('options') },
        { token: null },
      ),
    );
  }

  async function makeTokens(): Promise<void> {
    for (const options of [{}, { ttl: '1h' }]) {
      const { body } = await accepted(
        client.post('/auth/token/create', { policies: ['default'], ...options }),
      );
      canaries.add('token', body.auth.client_token);
      await refused(client.get('/secret/data/db', { token: body.auth.client_token }));
      await accepted(client.post('/auth/token/renew', { token: body.auth.client_token }));
    }
    await refused(client.post('/auth/token/lookup', { token: make('unknown token') }));
    await refused(client.get('/secret/data/db', { token: make('forged token') }));
    await refused(client.post('/auth/token/create', { id: make('chosen token') }));
    await refused(client.get(`/secret/data/absent?token=${encodeURIComponent(make('token in a query'))}`));
  }

  async function configureDestinations(): Promise<void> {
    const at = (name: string): string => `/sys/sync/destinations/${name}`;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    canaries.add('service account key', pem.split('\n')[5] ?? '');
    const account = {
      type: 'service_account',
      project_id: 'example-project',
      client_email: 'a@example.com',
      private_key: pem,
    };
    const vault = {
      key_vault_uri: 'https://example.vault.azure.net',
      client_id: 'id',
      tenant_id: 'example.com',
    };
    const repository = {
      access_token: `ghp_${plain('token')}`,
      repository_owner: 'a',
      repository_name: 'b',
    };
    canaries.add('access token', repository.access_token);
    const valid: [string, object][] = [
      [
        'cloud1-sm/main',
        {
          access_key_id: plain('key id'),
          secret_access_key: make('access key'),
          region: 'eu-west-1',
          secret_name_template: '{{ .SecretPath }}',
        },
      ],
      ['cloud2-kv/main', { ...vault, client_secret: make('client secret') }],
      ['cloud3-sm/main', { credentials: JSON.stringify(account) }],
      ['repo-host/main', repository],
      [
        'hosting-project/main',
        { access_token: repository.access_token, project_id: 'prj_1', deployment_environments: ['preview'] },
      ],
    ];
    for (const [name, body] of valid) {
      await accepted(client.post(at(name), body));
      readings.push(await client.get(at(name)));
    }
    const secret = make('refused credential');
    await refused(
      client.post(at('cloud1-sm/bad'), { access_key_id: secret, secret_access_key: [secret, { secret }] }),
    );
    await refused(client.post(at('cloud1-sm/bad'), { secret_access_key: secret.repeat(50) }));
    await refused(client.post(at('cloud2-kv/bad'), { ...vault, client_secret: secret, cloud: 'none' }));
    await refused(
      client.post(at('cloud3-sm/bad'), { credentials: JSON.stringify({ ...account, private_key: secret }) }),
    );
    await refused(
      client.post(at('cloud3-sm/bad'), { credentials: `{"type": "service_account", "${secret}` }),
    );
    const url = `https://user:${encodeURIComponent(secret)}@github.example.com`;
    await refused(client.post(at('repo-host/bad'), { ...repository, enterprise_url: url }));
    await refused(
      client.post(at('hosting-project/bad'), { access_token: `${secret} with a space`, project_id: 'p' }),
    );
  }

  async function configureSite(): Promise<void> {
    const patch = (kind: string, attributes: object): Promise<Answer> =>
      client.patch(`/api/v2/admin/${kind}-settings`, asJsonApi(attributes));
    const waiting = patch('smtp', { password: make('password without a worker') });
    await takeCommand();
    await refused(waiting);
    await start('services/settings/main.js');
    await accepted(
      patch('smtp', {
        host: '127.0.0.1',
        port: 1,
        sender: 'a@example.com',
        auth: 'plain',
        username: 'a',
        password: make('smtp password'),
      }),
    );
    await refused(
      patch('smtp', {
        enabled: true,
        password: make('tried password'),
        'test-email-address': 'b@example.com',
      }),
    );
    await accepted(patch('saml', { 'private-key': make('saml key') }));
    await refused(patch('saml', { enabled: true, 'private-key': make('saml key that is none') }));
    await accepted(
      patch('sms', { 'account-sid': 'AC1', 'auth-token': make('sms token'), 'from-number': '+15005550006' }),
    );
    await refused(patch('sms', { 'auth-token': [make('sms token in a list')] }));
    await accepted(
      patch('cost-estimation', {
        'aws-secret-key': make('aws'),
        'gcp-credentials': make('gcp'),
        'azure-client-secret': make('azure'),
      }),
    );
    await refused(patch('cost-estimation', { enabled: true, 'gcp-credentials': make('gcp that is none') }));
    for (const kind of ['smtp', 'saml', 'sms', 'cost-estimation']) {
      readings.push(await client.get(`/api/v2/admin/${kind}-settings`));
    }
  }

  async function sync(): Promise<void> {
    const at = '/sys/sync/destinations';
    const secret = { mount: 'secret', secret_name: 'db' };
    await accepted(client.post(`${at}/cloud1-sm/main/associations/set`, secret));
    await eventually(() => fake.entries().some(({ name }) => name === 'db'));
    for (const kind of ['error', 'garbage', 'cut']) fake.addFault({ kind, times: 1 });
    const { body } = await accepted(
      client.post('/secret/data/db', { data: { user: make('value that fails') } }),
    );
    expect(body.data.version).to.equal(3);
    for (const type of ['repo-host', 'cloud2-kv']) {
      await accepted(client.post(`${at}/${type}/main/associations/set`, secret, noWait));
    }
    await eventually(() => fake.callsOf('PutSecretValue').length > 0, { limitMs: 20_000 });
    await refused(client.post(`${at}/repo-host/main/check`));
    const query = 'mount=secret&secret_name=db';
    for (const type of ['cloud1-sm', 'repo-host', 'cloud2-kv']) {
      readings.push(await client.get(`${at}/${type}/main/associations`));
      readings.push(await client.get(`${at}/${type}/main/associations/history?${query}`));
    }
    readings.push(
      await client.post(`${at}/cloud1-sm/main/associations/plan`, { mount: 'secret', secret_name: 'other' }),
    );
  }

  async function beRefused(): Promise<void> {
    await refused(
      client.post('/sys/policies/acl/bad', { policy: `{"path": {"a": "${make('policy text')}"` }),
    );
    await refused(
      client.post('/users/saml/auth', undefined, {
        raw: `SAMLResponse=${encodeURIComponent(make('assertion'))}`,
        token: null,
      }),
    );
    readings.push(await client.get('/api/v2/admin/audit-events?page[size]=100'));
  }

  /** What waits for a worker that is not there, seen before it expires. */
  async function takeCommand(): Promise<void> {
    const topology = createTopology(environment['AMQP_PREFIX'] ?? '');
    await eventually(() => takeFrom(topology.commandQueue('settings')), { limitMs: 3000 });
  }

  async function collectMessages(): Promise<void> {
    const topology = createTopology(environment['AMQP_PREFIX'] ?? '');
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
