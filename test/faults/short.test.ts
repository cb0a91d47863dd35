import { expect } from 'chai';
import { catalog } from './catalog.ts';
import { runExperiment } from './experiment.ts';
import { groupFaults } from './mix.ts';
import { findingsOf, storyOf } from './report.ts';
import { startWorld, type World } from './world.ts';

const SEED = 20;
// Together, so that the run takes minutes less.
const AT_ONCE = 5;

describe('the whole system under faults', function () {
  this.timeout(600_000);
  let world: World | undefined;

  after(() => world?.stop());

  it('the system under every fault loses nothing and never wrongly says SYNCED', async () => {
    world = await startWorld({
      apis: 2,
      workers: { 'cloud1-sm': 2, 'cloud2-kv': 1, 'cloud3-sm': 1, 'hosting-project': 1, 'repo-host': 1 },
      admin: 2,
    });
    const report = await runExperiment(world, {
      seed: SEED,
      faults: groupFaults(catalog, AT_ONCE),
      once: true,
      limitMs: 0,
      secrets: 6,
      pauseMs: 300,
      say: () => undefined,
    });
    expect(findingsOf(report), storyOf(report, SEED)).to.deep.equal([]);
    const struck = report.faults.map(({ name }) => name).join(' + ');
    for (const { name } of catalog) expect(struck).to.include(name);
    // Without such events the run would have proved nothing.
    expect(report.model.history.length).to.be.greaterThan(50);
    expect(report.seized, 'names taken by someone else').to.be.greaterThan(5);
    const withLateWrites = [...report.world.stores.values()].filter(
      ({ recorder }) => recorder.carriedOutAfter(report.world.leaseMs) > 0,
    );
    // On a slow machine most of the five stores get no write in those seconds.
    expect(withLateWrites.length, 'stores with writes after a lease').to.be.above(0);
  });
});
