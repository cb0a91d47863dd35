import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { createCanaries } from '../attack/canaries.ts';
import { runCommand } from '../cli/support.ts';
import { startCloud1SmFake, type Cloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { keyServiceFakes } from '../sandbox/key-services/all.ts';
import type { KeyServiceFake } from '../sandbox/key-services/contract.ts';
import { spawnProcess, startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const API = 'services/api/main.js';
const WORKER = 'services/connectors/main.js cloud1-sm';

for (const [service, start] of Object.entries(keyServiceFakes)) {
  describe(`a master key that ${service} wraps`, function () {
    this.timeout(90_000);
    const running: ServiceProcess[] = [];
    let keys: KeyServiceFake;
    let store: Cloud1SmFake;
    let sealift: Sealift;
    let plain: string;
    let wrapped: string;
    let count = 0;

    before(async () => {
      [keys, store] = await Promise.all([start(), startCloud1SmFake()]);
      // The installation begins with a plain key, as those of today.
      sealift = await startSealift();
      plain = sealift.environment['SEALIFT_MASTER_KEY'] ?? '';
      const driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
      await driver.configure(cloud1Settings());
      await driver.write('db', { v: 'first' });
      await driver.associate('db');
      wrapped = await wrap(plain);
    });

    afterEach(async () => {
      for (const one of running.splice(0)) await one.kill('SIGTERM');
      keys.reset();
    });

    after(async () => {
      await sealift?.stop();
      await Promise.all([keys?.close(), store?.close()]);
    });

    async function wrap(key: string): Promise<string> {
      const words = ['master-key', 'wrap', '--with', keys.address, '--stdin'];
      const { stdout, stderr } = await runCommand(words, keys.environment, key);
      expect(stderr).to.equal('');
      return stdout.trim();
    }

    const environment = (more: Record<string, string> = {}): Record<string, string> => ({
      ...sealift.environment,
      ...cloud1Environment(store),
      ...keys.environment,
      LOG_LEVEL: 'debug',
      SEALIFT_MASTER_KEY: wrapped,
      ...more,
    });

    /** An API and a worker with these settings; a call to the API. */
    async function startBoth(more: Record<string, string> = {}): Promise<ReturnType<typeof createClient>> {
      const port = String(await choosePort(undefined));
      for (const program of [API, WORKER])
        running.push(await startProcess(program, environment({ ...more, PORT: port })));
      return createClient(`http://127.0.0.1:${port}`, sealift.token);
    }

    async function expectPushed(client: ReturnType<typeof createClient>): Promise<void> {
      const read = await client.get('/v1/secret/data/db?version=1');
      expect(read.body.data.data, read.text).to.deep.equal({ v: 'first' });
      count += 1;
      const data = { v: `written ${count}` };
      expect((await client.post('/v1/secret/data/db', { data })).status).to.equal(200);
      await eventually(() => store.entries()[0]?.value === JSON.stringify(data));
    }

    it(`an API and a worker that have the plain key of before from ${service} read old values and push new ones`, async () => {
      await expectPushed(await startBoth());
    });

    it(`nothing of a key that ${service} unwrapped is in what the processes write`, async () => {
      await expectPushed(await startBoth());
      const canaries = createCanaries();
      canaries.add('master key', plain);
      canaries.add('bytes of the master key', Buffer.from(plain, 'base64').toString('hex'));
      for (const credential of keys.credentials) canaries.add('credential', credential);
      for (const one of running) {
        expect(one.output().length).to.be.greaterThan(100);
        expect(canaries.findIn(one.output())).to.deep.equal([]);
      }
    });

    it(`processes go on where ${service} is away after their start, and ask it for nothing`, async () => {
      const client = await startBoth();
      keys.clearCalls();
      keys.addFault({ kind: 'cut' });
      await expectPushed(client);
      expect(keys.calls()).to.deep.equal([]);
    });

    for (const kind of ['cut', 'hang', 'error', 'throttle'])
      it(`a process that starts while ${service} answers with ${kind} tries again, and then ends with what to do`, async () => {
        keys.addFault({ kind });
        const limit = { SEALIFT_MASTER_KEY_TIMEOUT: '4000' };
        const api = await spawnProcess(API, environment(limit));
        running.push(api);
        expect(await api.ended, api.output()).to.equal(1);
        const said = api.output().split('\n');
        expect(said.find((line) => line.includes('waiting for the master key'))).to.contain(keys.address);
        expect(said.find((line) => line.includes('cannot start')))
          .to.contain(`SEALIFT_MASTER_KEY cannot be unwrapped by ${keys.address}`)
          .and.contain('It was tried for 4 s (SEALIFT_MASTER_KEY_TIMEOUT)');
        expect(keys.calls().length).to.be.greaterThan(kind === 'hang' ? 0 : 1);
      });

    it(`a process that starts while ${service} is away for a moment starts when it is back`, async () => {
      keys.addFault({ kind: 'error', times: 2 });
      await expectPushed(await startBoth());
    });

    it(`a process that ${service} does not allow to unwrap ends at once, as for any setting that cannot be used`, async () => {
      keys.setAllowed(false);
      const worker = await spawnProcess(WORKER, environment());
      running.push(worker);
      expect(await worker.ended).to.equal(78);
      expect(worker.output()).to.match(
        /"faults":\["SEALIFT_MASTER_KEY cannot be unwrapped by .*does not allow this/,
      );
    });

    it(`a new master key that ${service} wraps takes the place of an old one that it wraps`, async () => {
      const next = await wrap(randomBytes(32).toString('base64'));
      await expectPushed(await startBoth({ SEALIFT_OLD_MASTER_KEYS: next }));
      const both = { SEALIFT_MASTER_KEY: next, SEALIFT_OLD_MASTER_KEYS: wrapped };
      for (const one of running.splice(0)) await one.kill('SIGTERM');
      const client = await startBoth(both);
      await expectPushed(client);
      const job = await runCommand(['job', 'rewrap-sealed-values'], environment(both));
      expect(job.stdout)
        .to.match(/rewrapped=[1-9]/)
        .and.contain('problems=0');
      for (const one of running.splice(0)) await one.kill('SIGTERM');
      await expectPushed(await startBoth({ SEALIFT_MASTER_KEY: next }));
    });

    it(`the verb \`doctor\` tells that ${service} unwraps the key, and that it does not`, async () => {
      const examine = async (more: Record<string, string> = {}) => {
        const { stdout, code } = await runCommand(['doctor', '--no-egress', '--json'], environment(more));
        const { findings } = JSON.parse(stdout) as {
          findings: { check: string; state: string; detail: string }[];
        };
        return { code, findings: findings.filter(({ check }) => /key|configuration/.test(check)) };
      };
      const well = await examine();
      const found = well.findings.find(({ check }) => check === 'key service');
      expect(found?.state).to.equal('ok');
      expect(found?.detail).to.contain(`SEALIFT_MASTER_KEY is unwrapped by ${keys.address}`);
      keys.addFault({ kind: 'cut' });
      const away = await examine();
      expect(away.code).to.equal(5);
      expect(away.findings.find(({ check }) => check === 'key service')?.state).to.equal('failed');
    });
  });
}
