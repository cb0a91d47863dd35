import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess, startProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { cloud1Environment, cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const commandLine = fileURLToPath(new URL('../../programs/cli/main.js', import.meta.url));
const ISSUER = 'https://sealift.example.com';
const PROGRAMS = [
  ...['api', 'settings', 'key-maintenance'].map((name) => `programs/${name}/main.js`),
  ...catalog.map(({ type }) => `programs/connectors/main.js ${type}`),
];

type Keys = { SEALIFT_MASTER_KEY: string; SEALIFT_OLD_MASTER_KEYS?: string };

// The steps of docs/master-key.md in order. Each claim continues from the one before.
describe('a new master key', () => {
  const oldKey = randomBytes(32).toString('base64');
  const newKey = randomBytes(32).toString('base64');
  let fake: Fake;
  let database: TestDatabase;
  let token: string;
  let signed: string;
  let written = 0;
  let running: Sealift | undefined;

  before(async () => {
    fake = await startCloud1SmFake();
    database = await createDatabase();
    await withKeys({ SEALIFT_MASTER_KEY: oldKey }, async (sealift) => {
      // It runs only here, to make the first signing key: otherwise its schedule would re-wrap values at its own time.
      await sealift.start('key-maintenance', startKeyMaintenance);
      token = sealift.token;
      const driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
      await driver.configure(cloud1Settings());
      await driver.write('db', { v: 'first' });
      await driver.associate('db');
      await driver.settles('db', 'SYNCED');
      signed = await sign(sealift.client);
    });
  });

  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });

  after(async () => {
    await fake?.close();
    await database?.drop();
  });

  /** Runs an installation with these keys on the shared database, and stops it afterwards. */
  async function withKeys(keys: Keys, work: (sealift: Sealift) => Promise<void>): Promise<void> {
    running = await startSealift({
      environment: { DATABASE_URL: database.url, PUBLIC_URL: ISSUER, ...keys },
      workers: { connector: cloud1Worker(fake) },
    });
    await work(running);
    await running.stop();
    running = undefined;
  }

  const value = () => fake.entries().find((entry) => entry.name === 'db')?.value;

  async function sign(client: Client): Promise<string> {
    const answer = await client.post('/v1/identity/oidc/token', { audience: 'there' });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.token;
  }

  /** Checks that secrets, tokens, pushes and commands work, and that the old signing keys are still published. */
  async function expectWhole(sealift: Sealift): Promise<void> {
    const client = createClient(sealift.url, token);
    const read = await client.get('/v1/secret/data/db?version=1');
    expect(read.body.data.data).to.deep.equal({ v: 'first' });
    written += 1;
    const next = { v: `written ${written}` };
    expect((await client.post('/v1/secret/data/db', { data: next })).status).to.equal(200);
    await eventually(() => value() === JSON.stringify(next));
    const check = await client.post('/v1/sys/sync/destinations/cloud1-sm/prod/check');
    expect(check.body.data, check.text).to.include({ ok: true });
    const published = await client.get('/.well-known/jwks');
    const keys = createLocalJWKSet(published.body);
    for (const jwt of [signed, await sign(client)])
      expect((await jwtVerify(jwt, keys)).payload.iss).to.equal(ISSUER);
  }

  async function rewrap(keys: Keys): Promise<string> {
    const environment = { ...baseEnvironment(), ...keys };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [commandLine, 'job', 'rewrap-sealed-values'],
      { env: { PATH: process.env['PATH'] ?? '', ...environment }, timeout: 30_000 },
    );
    return stdout;
  }

  function baseEnvironment(): Record<string, string> {
    return {
      DATABASE_URL: database.url,
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: 'test-master-key',
      PORT: '0',
      LOG_LEVEL: 'info',
      ...cloud1Environment(fake),
    };
  }

  it('a new master key may be listed beforehand as an old one', async () => {
    await withKeys({ SEALIFT_MASTER_KEY: oldKey, SEALIFT_OLD_MASTER_KEYS: newKey }, expectWhole);
  });

  it('a new master key replaces the old one while that is still listed', async () => {
    await withKeys({ SEALIFT_MASTER_KEY: oldKey, SEALIFT_OLD_MASTER_KEYS: newKey }, async (sealift) => {
      const replica = await startProcess('programs/connectors/main.js cloud1-sm', {
        ...sealift.environment,
        SEALIFT_MASTER_KEY: newKey,
        SEALIFT_OLD_MASTER_KEYS: oldKey,
        ...cloud1Environment(fake),
      });
      await expectWhole(sealift);
      await replica.kill('SIGTERM');
    });
    await withKeys({ SEALIFT_MASTER_KEY: newKey, SEALIFT_OLD_MASTER_KEYS: oldKey }, expectWhole);
  });

  it('every process refuses the new master key alone until the job has run', async () => {
    await expectRefusals(newKey, PROGRAMS);
  });

  it('every sealed value is under the new master key when the job has run', async () => {
    const keys = { SEALIFT_MASTER_KEY: newKey, SEALIFT_OLD_MASTER_KEYS: oldKey };
    const first = await rewrap(keys);
    expect(first)
      .to.match(/rewrapped=[1-9]/)
      .and.contain('succeeded')
      .and.contain('problems=0');
    expect(await rewrap(keys))
      .to.contain('rewrapped=0')
      .and.contain('problems=0');
  });

  it('the new master key is enough alone from then on', async () => {
    await withKeys({ SEALIFT_MASTER_KEY: newKey }, expectWhole);
  });

  it('a process with the old master key alone refuses to start', async () => {
    await expectRefusals(oldKey, PROGRAMS.slice(0, 1));
  });

  it('the job does not start where the master key is no key at all, and says how to make one', async () => {
    const api = await spawnProcess('programs/api/main.js', {
      ...baseEnvironment(),
      SEALIFT_MASTER_KEY: 'c2hvcnQ=',
    });
    expect(await api.ended).to.not.equal(0);
    expect(api.output()).to.contain('openssl rand -base64 32').and.not.contain('c2hvcnQ=');
  });

  async function expectRefusals(key: string, programs: string[]): Promise<void> {
    // Two at a time, because each is a whole process.
    for (let start = 0; start < programs.length; start += 2) {
      const pair = programs.slice(start, start + 2);
      const spawned = await Promise.all(
        pair.map((program) => spawnProcess(program, { ...baseEnvironment(), SEALIFT_MASTER_KEY: key })),
      );
      for (const [index, one] of spawned.entries()) {
        expect(await one.ended, pair[index]).to.equal(1);
        const lines = one.output().trim().split('\n');
        const said = lines.find((line) => line.includes('cannot start')) ?? '';
        expect(said, pair[index]).to.contain('add that key to SEALIFT_OLD_MASTER_KEYS');
        expect(one.output(), pair[index]).to.not.contain(key);
      }
    }
  }
});
