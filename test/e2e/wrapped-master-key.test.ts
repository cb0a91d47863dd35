import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createCanaries } from '../attack/canaries.ts';
import { runCommand } from '../cli/support.ts';
import { keyServiceFakes } from '../sandbox/key-services/all.ts';
import { startAwsKmsFake } from '../sandbox/key-services/aws-kms.ts';
import type { KeyServiceFake } from '../sandbox/key-services/contract.ts';
import { startTransitFake } from '../sandbox/key-services/vault-transit.ts';
import { spawnProcess } from '../support/child-process.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import {
  API,
  startWrappedInstallation,
  WORKER,
  wrapBy,
  type WrappedInstallation,
} from '../support/wrapped-installation.ts';

for (const [service, { start }] of Object.entries(keyServiceFakes)) {
  describe(`processes whose master key ${service} wraps`, () => {
    let keys: KeyServiceFake;
    let installation: WrappedInstallation;
    let client: Client;

    before(async () => {
      keys = await start();
      installation = await startWrappedInstallation(keys);
      client = await installation.startBoth();
    });

    after(async () => {
      await installation?.stop();
      await keys?.close();
    });

    it(`an API and a worker with the former plain key from ${service} read old values`, async () => {
      await installation.expectWhole(client);
    });

    it(`processes go on where ${service} is away after their start, and ask it for nothing`, async () => {
      keys.clearCalls();
      keys.addFault({ kind: 'cut' });
      await installation.expectWhole(client);
      expect(keys.calls()).to.deep.equal([]);
    });

    it(`nothing of a key that ${service} unwrapped is in what the processes write`, () => {
      const canaries = createCanaries();
      canaries.add('master key', installation.plain);
      canaries.add('bytes of the master key', Buffer.from(installation.plain, 'base64').toString('hex'));
      for (const credential of keys.credentials) canaries.add('credential', credential);
      expect(installation.running).to.have.length(2);
      for (const one of installation.running) {
        expect(one.output().length).to.be.greaterThan(100);
        expect(canaries.findIn(one.output())).to.deep.equal([]);
      }
    });
  });
}

describe('a wrapped master key', function () {
  let keys: KeyServiceFake;
  let installation: WrappedInstallation;

  before(async () => {
    keys = await startAwsKmsFake();
    installation = await startWrappedInstallation(keys);
  });

  afterEach(async () => {
    await installation.endAll();
    keys.reset();
  });

  after(async () => {
    await installation?.stop();
    await keys?.close();
  });

  for (const kind of ['cut', 'hang'])
    it(`a process tries again while the key service answers with ${kind}, and then ends`, async () => {
      keys.addFault({ kind });
      const limit = { SEALIFT_MASTER_KEY_TIMEOUT: '4000' };
      const api = await spawnProcess(API, installation.environment(limit));
      installation.running.push(api);
      expect(await api.ended, api.output()).to.equal(1);
      const said = api.output().split('\n');
      expect(said.find((line) => line.includes('waiting for the master key'))).to.contain(keys.address);
      expect(said.find((line) => line.includes('cannot start')))
        .to.contain(`SEALIFT_MASTER_KEY cannot be unwrapped by ${keys.address}`)
        .and.contain('allow this host to reach it. Gave up after 4 s (SEALIFT_MASTER_KEY_TIMEOUT)');
      expect(keys.calls().length).to.be.greaterThan(kind === 'hang' ? 0 : 1);
    });

  it('a process that waits for the key service ends at once where it is told to', async () => {
    keys.addFault({ kind: 'hang' });
    const api = await spawnProcess(API, installation.environment());
    installation.running.push(api);
    await eventually(() => keys.calls().length > 0);
    await api.kill('SIGTERM');
    expect(await api.ended, api.output()).to.equal(0);
  });

  it('a process that starts while the key service is away for a moment starts when it is back', async () => {
    keys.addFault({ kind: 'error', times: 2 });
    await installation.expectWhole(await installation.startBoth());
  });

  it('a process that the key service does not allow to unwrap ends at once', async () => {
    keys.setAllowed(false);
    const worker = await spawnProcess(WORKER, installation.environment());
    installation.running.push(worker);
    expect(await worker.ended).to.equal(78);
    expect(worker.output()).to.match(
      /"faults":\["SEALIFT_MASTER_KEY cannot be unwrapped by .*does not allow this/,
    );
  });

  it('an old key that cannot be unwrapped keeps a process from its start', async () => {
    keys.setAllowed(false);
    const { plain, wrapped, environment } = installation;
    const old = `${randomBytes(32).toString('base64')},${wrapped}`;
    const api = await spawnProcess(
      API,
      environment({ SEALIFT_MASTER_KEY: plain, SEALIFT_OLD_MASTER_KEYS: old }),
    );
    installation.running.push(api);
    expect(await api.ended).to.equal(78);
    expect(api.output()).to.contain('"faults":["key 2 of SEALIFT_OLD_MASTER_KEYS cannot be unwrapped by');
  });

  it('the verb `recover root-token` has the key unwrapped, and ends with code 5 if that is slow', async () => {
    const recover = (more: Record<string, string> = {}) =>
      runCommand(['recover', 'root-token', '--json'], installation.environment(more));
    const well = await recover();
    expect([well.code, Object.keys(JSON.parse(well.stdout))], well.stderr).to.deep.equal([
      0,
      ['token', 'accessor', 'ttl_seconds'],
    ]);
    keys.addFault({ kind: 'throttle' });
    const away = await recover({ SEALIFT_MASTER_KEY_TIMEOUT: '1000' });
    expect([away.code, away.stdout]).to.deep.equal([5, '']);
    expect(away.stderr).to.contain('SEALIFT_MASTER_KEY cannot be unwrapped by');
  });

  it('the verb `doctor` tells what unwraps the key, and that it does not', async () => {
    const examine = async () => {
      const words = ['doctor', '--no-egress', '--json'];
      const { stdout, code } = await runCommand(words, installation.environment());
      const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
      return { code, finding: findings.find(({ check }) => check === 'key service') };
    };
    expect(await examine()).to.deep.equal({
      code: 0,
      finding: {
        check: 'key service',
        state: 'ok',
        detail: `SEALIFT_MASTER_KEY is unwrapped by ${keys.address}`,
      },
    });
    keys.addFault({ kind: 'cut' });
    const away = await examine();
    expect([away.code, away.finding?.['state']]).to.deep.equal([5, 'failed']);
    expect(away.finding?.['detail']).to.contain('it cannot be reached (ECONNRESET)');
  });

  it('a new master key that one service wraps takes the place of an old one that another wraps', async () => {
    const vault = await startTransitFake();
    try {
      const { wrapped, environment } = installation;
      const next = await wrapBy(vault, randomBytes(32).toString('base64'));
      const before = { ...vault.environment, SEALIFT_OLD_MASTER_KEYS: next };
      await installation.expectWhole(await installation.startBoth(before));
      await installation.endAll();
      const both = { ...before, SEALIFT_MASTER_KEY: next, SEALIFT_OLD_MASTER_KEYS: wrapped };
      await installation.expectWhole(await installation.startBoth(both));
      const job = await runCommand(['job', 'rewrap-sealed-values'], environment(both));
      expect(job.stdout, job.stderr)
        .to.match(/rewrapped=[1-9]/)
        .and.contain('problems=0');
      await installation.endAll();
      keys.setState('gone');
      const after = { ...vault.environment, SEALIFT_MASTER_KEY: next };
      await installation.expectWhole(await installation.startBoth(after));
    } finally {
      await vault.close();
    }
  });
});
