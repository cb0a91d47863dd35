import { expect } from 'chai';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { choosePort } from '../../deploy/local/ports.ts';

// Tells of each connector that is loaded.
const TELL = `
import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) => {
    const [, connector] = /programs.cli.(aws|azure|google|github|vercel)[^/]*.js$/.exec(url) ?? [];
    if (connector) console.log('loaded the connector of ' + connector);
    return next(url, context);
  },
});`;

describe('the whole service in one process', () => {
  let scene: Cloud1Scene;
  let one: ServiceProcess;
  let api: ReturnType<typeof createClient>;
  let port: number;

  before(async () => {
    scene = await openCloud1Scene({ environment: { LEASE: '4000', CALL_TIMEOUT: '2000' } });
    port = await choosePort(undefined);
    one = await start();
    api = createClient(`http://127.0.0.1:${port}`, scene.sealift.token);
  });
  after(async () => {
    await one.kill('SIGKILL');
    await scene.close();
  });

  const start = () =>
    startProcess('programs/cli/main.js serve all --one-process', {
      ...scene.sealift.environment,
      ...cloud1Environment(scene.fake),
      LOG_LEVEL: 'info',
      PORT: String(port),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TELL)}`,
    });
  const stored = (): (string | null)[] => scene.fake.entries().map(({ value }) => value);
  const write = async (value: number): Promise<void> => {
    const answer = await api.post('/v1/secret/data/db', { data: { v: value } });
    expect(answer.status, answer.text).to.equal(200);
  };
  const arrives = (value: number) => eventually(() => expect(stored()).to.deep.equal([`{"v":${value}}`]));

  it('one process takes changes, pushes them, changes settings and runs jobs', async () => {
    await write(1);
    await scene.driver.associate('db');
    await scene.driver.settles('db', 'SYNCED');
    await arrives(1);
    const { status } = await api.get('/api/v2/admin/general-settings');
    expect(status).to.equal(200);
    const found = (await api.get('/v1/sys/status')).body.data.workers as { name: string; running: number }[];
    expect(found).to.have.length(3);
    expect(found.filter(({ running }) => running !== 1)).to.deep.equal([]);
  });

  it('the SDK of a vendor is loaded with the first call to one of its stores', () => {
    expect(one.output().match(/loaded the connector of \w+/g)).to.deep.equal(['loaded the connector of aws']);
  });

  it('each service has its own metrics and its own name in the log', async () => {
    const text = await (await fetch(`${one.healthUrl}/metrics`)).text();
    for (const service of [
      'api',
      'settings',
      'key-maintenance',
      'connector-cloud1-sm',
      'connector-repo-host',
    ])
      expect(text).to.contain(`sealift_broker_connected{service="${service}"} 1`);
    expect(text.match(/^process_resident_memory_bytes.*$/gm)).to.have.length(1);
    expect(text.match(/^# TYPE sealift_broker_connected /gm)).to.have.length(1);
    expect(one.output()).to.contain('"service":"connector-cloud1-sm"');
  });

  it('the next process pushes what was acknowledged before the first one was killed', async () => {
    for (let round = 2; round < 5; round += 1) {
      scene.fake.addFault({ kind: 'held', operation: 'PutSecretValue', times: 1 });
      await write(round * 10);
      await eventually(() => scene.fake.callsOf('PutSecretValue').length >= round - 1);
      await write(round * 10 + 1);
      await one.kill('SIGKILL');
      scene.fake.clearFaults();
      one = await start();
      await arrives(round * 10 + 1);
      await scene.driver.settles('db', 'SYNCED');
    }
  });

  it('SIGTERM ends it with all that it began', async () => {
    await write(99);
    await one.kill('SIGTERM');
    expect(one.running()).to.equal(false);
    expect(one.output()).to.contain('"message":"stopped"');
    one = await start();
    await arrives(99);
  });
});
