import dns from 'node:dns';
import { createServer } from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { kindOf, kinds, type FaultyFake } from '../faults/kinds.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const ELSEWHERE = ['127.0.0.2/32'];
const HERE = ['127.0.0.0/8'];

type AllFound = (error: Error | null, addresses: dns.LookupAddress[]) => void;

describe('a destination with networking limits', () => {
  let fake: FaultyFake;
  let sealift: Sealift;
  let driver: SyncDriver;
  let port: number;

  async function open(type: string, { url, egressAllow }: { url?: string; egressAllow?: string } = {}) {
    const kind = kindOf(type);
    fake = await kind.start({});
    port = Number(new URL(fake.url).port);
    const address = url ? `${url}:${port}` : fake.url;
    const environment = kind.environment(fake, address);
    const parts = await kind.load();
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.0/8', SWEEP_INTERVAL: '100' } });
    await sealift.start('worker', (context) => {
      const config = { ...context.config, EGRESS_ALLOW: egressAllow ?? context.config.EGRESS_ALLOW };
      return startConnectorWorker({ ...context, config }, parts, {
        environment: (name) => environment[name],
      });
    });
    driver = createSyncDriver(sealift, type, 'web');
    await driver.write('app', { A: 'one' });
    return kind.settings(fake, address, 'web');
  }

  async function expectLimited(): Promise<void> {
    const [record] = await driver.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('egress_limited');
    const { body } = await sealift.client.post(`${driver.path}/check`);
    expect(body.data).to.deep.include({ ok: false });
    expect(body.data.cause.code).to.equal('egress_limited');
  }

  async function change(body: Record<string, unknown>): Promise<void> {
    const answer = await driver.patch(body);
    expect(answer.status, answer.text).to.equal(200);
  }

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  for (const { type } of kinds) {
    it(`a limited destination reaches no other address and no other port: ${type}`, async () => {
      const settings = await open(type);
      await driver.configure({ ...settings, allowed_ipv4_addresses: ELSEWHERE });
      await driver.associate('app');
      await expectLimited();
      await change({ allowed_ipv4_addresses: null, allowed_ipv6_addresses: ['2001:db8::/32'] });
      await expectLimited();
      await change({ allowed_ipv6_addresses: null, allowed_ports: [1] });
      await expectLimited();
      expect(fake.calls()).to.deep.equal([]);
    });

    it(`a changed limit is tried at once, over no connection of before: ${type}`, async () => {
      const settings = await open(type);
      const signIn = Number(new URL(fake.details?.['authority'] ?? fake.url).port);
      await driver.configure({ ...settings, allowed_ipv4_addresses: ELSEWHERE });
      await driver.associate('app');
      await expectLimited();
      await change({ allowed_ipv4_addresses: HERE, allowed_ports: [port, signIn] });
      await driver.settles('app', 'SYNCED');
      fake.clearCalls();
      await change({ allowed_ipv4_addresses: ELSEWHERE });
      await driver.write('app', { A: 'two' });
      await expectLimited();
      expect(fake.calls()).to.deep.equal([]);
      await change({ disable_strict_networking: true });
      await driver.settles('app', 'SYNCED');
      expect(
        fake
          .entries()
          .map(({ value }) => value)
          .join(),
      ).to.contain('two');
    });
  }

  it('a limited destination reaches no sign-in service outside its limits', async () => {
    const settings = await open('cloud2-kv');
    await driver.configure({ ...settings, allowed_ports: [port] });
    await driver.associate('app');
    await expectLimited();
    // The calls reached the vault itself, which answers that a token is missing.
    expect(fake.calls().every(({ status }) => status === 401)).to.equal(true);
    expect((fake as unknown as { authority: FaultyFake }).authority.calls()).to.deep.equal([]);
  });

  it('a limited destination is not led outside by a name that changes its answer', async () => {
    const settings = await open('cloud1-sm', { url: 'http://store.example' });
    let connections = 0;
    const trap = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(port, '127.0.0.2', resolve));
    let address = '127.0.0.1';
    const { lookup } = dns;
    const answer = (name: string, options: dns.LookupAllOptions, callback: AllFound): void =>
      name === 'store.example' ? callback(null, [{ address, family: 4 }]) : lookup(name, options, callback);
    dns.lookup = answer as typeof lookup;
    syncBuiltinESMExports();
    try {
      await driver.configure({ ...settings, allowed_ipv4_addresses: ['127.0.0.1/32'] });
      await driver.associate('app');
      await driver.settles('app', 'SYNCED');
      address = '127.0.0.2';
      fake.addFault({ kind: 'cut', times: 1 });
      await driver.write('app', { A: 'two' });
      await expectLimited();
      expect(connections).to.equal(0);
    } finally {
      dns.lookup = lookup;
      syncBuiltinESMExports();
      trap.close();
    }
  });

  it('a destination with its limits switched off is still held back by what the operator forbids', async () => {
    const settings = await open('cloud2-kv', { egressAllow: '' });
    await driver.configure({ ...settings, allowed_ipv4_addresses: HERE, disable_strict_networking: true });
    await driver.associate('app');
    const [record] = await driver.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('egress_refused');
    expect(fake.calls()).to.deep.equal([]);
  });
});
