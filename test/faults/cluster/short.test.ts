import { expect } from 'chai';
import { chooseFaults } from '../catalog.ts';
import { runExperiment } from '../experiment.ts';
import { findingsOf, storyOf } from '../report.ts';
import { startWorld, type World } from '../world.ts';
import { createClusterFaults } from './catalog.ts';
import { startClusterServers } from './servers.ts';
import { ANNOUNCED_WITHIN_MS, CLUSTER_SETTINGS } from './settings.ts';

const SEED = 31;
const FAULTS = ['Postgres primary killed and', 'broker leader killed', 'Postgres standby away'];

describe('several servers of Postgres and RabbitMQ under faults', function () {
  this.timeout(600_000);
  let world: World | undefined;

  after(() => world?.stop());

  it('nothing is lost when a broker, a primary and a standby are lost one after the other', async () => {
    const servers = await startClusterServers();
    world = await startWorld({
      servers,
      environment: CLUSTER_SETTINGS,
      apis: 2,
      workers: { 'cloud1-sm': 1, 'hosting-project': 1 },
      admin: 1,
    });
    const report = await runExperiment(world, {
      seed: SEED,
      faults: chooseFaults(FAULTS, createClusterFaults(servers)),
      once: true,
      limitMs: 0,
      secrets: 4,
      pauseMs: 300,
      announcedWithinMs: ANNOUNCED_WITHIN_MS,
      say: () => undefined,
    });
    expect(findingsOf(report), storyOf(report, SEED)).to.deep.equal([]);
    expect(report.faults).to.have.length(FAULTS.length);
    expect(report.model.history.length).to.be.greaterThan(30);
  });
});
