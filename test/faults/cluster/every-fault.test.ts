import { connect } from 'amqplib';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { catalog, chooseFaults } from '../catalog.ts';
import { combine, FaultError, RecoveryError, type Fault } from '../fault.ts';
import { EXIT_CODES, sayError } from '../outcome.ts';
import { runExperiment } from '../experiment.ts';
import { createRandom } from '../random.ts';
import { findingsOf, storyOf } from '../report.ts';
import { startWorld, type World } from '../world.ts';
import { createClusterFaults } from './catalog.ts';
import { startClusterServers, type ClusterServers } from './servers.ts';
import { ANNOUNCED_WITHIN_MS, CLUSTER_SETTINGS } from './settings.ts';

// Long enough to be seen. With Sealift under load they last longer.
const HOLDS = { brokers: { dead: 200, frozen: 200, silent: 200 }, databaseFrozen: 200 };
const HEALED_LIMIT_MS = 120_000;
const SEED = 31;
const UNDER_LOAD = ['Postgres primary killed and', 'broker leader killed', 'Postgres standby away'];

describe('the faults of several servers', function () {
  this.timeout(600_000);
  let servers: ClusterServers;
  let world: World;
  let faults: Fault[];
  const proxies: { postgres: Proxy[]; rabbitmq: Proxy[] } = { postgres: [], rabbitmq: [] };

  before(async () => {
    servers = await startClusterServers();
    for (const { port } of servers.databaseHosts) proxies.postgres.push(await startProxy(port));
    for (const { port } of servers.brokerHosts) proxies.rabbitmq.push(await startProxy(port));
    faults = createClusterFaults(servers, HOLDS);
    // Without Sealift: only what these faults use.
    const api = { missing: async () => ['Postgres waits for a synchronous standby'] };
    world = { servers, proxies, processes: { apis: [api] }, broken: [] } as unknown as World;
  });
  after(async () => {
    await Promise.all([...proxies.postgres, ...proxies.rabbitmq].map((proxy) => proxy.close()));
    await servers?.discard();
  });

  async function expectHealed(name: string): Promise<void> {
    await eventually(
      async () => {
        await servers.primary().query('CREATE TABLE IF NOT EXISTS healed (at timestamptz)');
        await servers.primary().query('INSERT INTO healed VALUES (now())');
        const [copies] = await servers
          .primary()
          .query<{ count: number }>('SELECT count(*)::int AS count FROM pg_stat_replication');
        expect(copies?.count, `standbys after: ${name}`).to.equal(1);
        for (const { url } of servers.brokers) await (await connect(url, { timeout: 5000 })).close();
        return true;
      },
      { limitMs: HEALED_LIMIT_MS, everyMs: 200 },
    );
  }

  it('every fault can be made and taken back, and afterwards every server works again', async () => {
    const random = createRandom(1);
    for (const fault of faults) {
      await combine([fault]).strike(world, random);
      await expectHealed(fault.name);
      expect(world.broken, fault.name).to.deep.equal([]);
    }
    expect(faults.length).to.be.greaterThan(10);
  });

  it('every fault of every list can be chosen by its name', () => {
    for (const fault of [...catalog, ...faults])
      expect(chooseFaults([fault.name], faults)).to.deep.equal([fault]);
    expect(() => chooseFaults(['no such fault'], faults)).to.throw('there is no fault no such fault');
  });

  it('a fault that fails by itself ends a run, and a system that does not recover is a finding', async () => {
    const failing = (error: Error): Fault => ({
      name: 'one',
      strike: async () => {
        throw error;
      },
    });
    const errorOf = (fault: Fault): Promise<unknown> =>
      combine([fault])
        .strike(world, createRandom(1))
        .then(
          () => undefined,
          (error: unknown) => error,
        );
    const own = await errorOf(failing(new Error('the table is locked already')));
    expect(own).to.be.instanceOf(FaultError);
    expect(EXIT_CODES[sayError(own, () => undefined)]).to.equal(2);
    const finding = await errorOf(failing(new RecoveryError('nothing works')));
    expect(EXIT_CODES[sayError(finding, () => undefined)]).to.equal(1);
  });

  // On the same servers, because a cluster takes ten seconds of a processor to start. The world takes them over.
  it('nothing is lost when a broker, a primary and a standby are lost one after the other', async () => {
    const whole = await startWorld({
      servers,
      environment: CLUSTER_SETTINGS,
      apis: 2,
      workers: { 'cloud1-sm': 1, 'hosting-project': 1 },
      admin: 1,
    });
    try {
      const report = await runExperiment(whole, {
        seed: SEED,
        faults: chooseFaults(UNDER_LOAD, createClusterFaults(servers)),
        once: true,
        limitMs: 0,
        secrets: 4,
        pauseMs: 300,
        announcedWithinMs: ANNOUNCED_WITHIN_MS,
        say: () => undefined,
      });
      expect(findingsOf(report), storyOf(report, SEED)).to.deep.equal([]);
      expect(report.faults).to.have.length(UNDER_LOAD.length);
      expect(report.model.history.length).to.be.greaterThan(30);
    } finally {
      await whole.stop();
    }
  });
});
