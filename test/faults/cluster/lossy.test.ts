import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnProcess } from '../../support/child-process.ts';
import { eventually } from '../../support/eventually.ts';
import { setSynchronous } from '../../support/postgres-pair.ts';
import { findDifferences, type Scene } from '../checker.ts';
import { destinationsFor } from '../destinations.ts';
import { createDestinations } from '../experiment.ts';
import { runActors, write } from '../generator.ts';
import { createModel, remember } from '../model.ts';
import { createRandom } from '../random.ts';
import type { Stage } from '../stage.ts';
import { startWorld, type World } from '../world.ts';
import { startPairServers, type PairServers } from './pair-servers.ts';

const SECRETS = 4;
const LOAD_MS = 4000;
const TOLD_LIMIT_MS = 30_000;
const SETTLE_LIMIT_MS = 90_000;
// Longer than anything that was in progress can take.
const QUIET_MS = 3000;

describe('a failover under load that loses changes', function () {
  this.timeout(600_000);
  let servers: PairServers;
  let world: World;
  let scene: Scene;
  let stage: Stage;
  let loading: boolean;

  before(async () => {
    servers = await startPairServers();
    world = await startWorld({
      servers,
      environment: { SWEEP_INTERVAL: '1000' },
      apis: 2,
      workers: { 'cloud1-sm': 1, 'cloud3-sm': 1 },
      admin: 1,
    });
    const model = createModel(SECRETS, destinationsFor({ secrets: SECRETS }, world.stores));
    scene = { model, stores: world.stores, caller: world.caller };
    await createDestinations(scene);
    const { caller, syncing } = world;
    const running = (): boolean => loading;
    stage = { model, caller, syncing, random: createRandom(3), running, pauseMs: 150, anomalies: [] };
  });
  after(() => world?.stop());

  // Returns when all changes of the load are acknowledged.
  const load = async (): Promise<void> => {
    loading = true;
    const acting = runActors(stage);
    await sleep(LOAD_MS);
    loading = false;
    await acting;
  };
  const settles = (isLeft: (difference: string) => boolean = () => false): Promise<true> =>
    eventually(
      async () => {
        const differences = (await findDifferences(scene)).filter((one) => !isLeft(one));
        expect(differences, differences.join('\n')).to.deep.equal([]);
        return true as const;
      },
      { limitMs: SETTLE_LIMIT_MS, everyMs: 250 },
    );
  const versions = (): Promise<number[]> =>
    Promise.all(
      scene.model.secrets.map(async ({ path }) => {
        const { answer } = await world.caller.send('GET', `/v1/secret/metadata/${path}`);
        return answer.body.data.current_version as number;
      }),
    );
  const sealift = async (words: string): Promise<void> => {
    const run = await spawnProcess(`programs/cli/main.js ${words}`, world.environment);
    expect(await run.ended, run.output()).to.equal(0);
  };

  it('a failover loses only what came after its standby fell behind, and tells so', async () => {
    await load();
    await settles();
    const restore = remember(stage.model);
    await setSynchronous(servers.primary(), false);
    await servers.standby().stop();
    const kept = await versions();
    await load();
    for (const secret of stage.model.secrets) await write(stage, secret);
    expect(await versions()).to.not.deep.equal(kept);
    await sleep(QUIET_MS);
    await servers.primary().kill();
    await servers.standby().start();
    await servers.promote();
    // Forgets the changes of the lossy window.
    restore();
    const refusals = (): Promise<string[][]> => Promise.all(world.processes.apis.map((api) => api.missing()));
    await eventually(async () => expect(await refusals()).to.deep.equal([UNDECIDED, UNDECIDED]), {
      limitMs: TOLD_LIMIT_MS,
      everyMs: 100,
    });
    expect(await versions()).to.deep.equal(kept);
    const from = Date.now();
    await sleep(QUIET_MS);
    for (const { recorder } of world.stores.values())
      expect(recorder.changesWithin(from, Date.now())).to.deep.equal([]);

    await sealift('recover lost-writes');
    await sealift('job recover-ledger');
    // An association or rename from the window leaves an entry in the store, under a name that Sealift no longer knows.
    await settles((difference) => difference.endsWith('is there and should not be'));
    for (const secret of stage.model.secrets) await write(stage, secret);
    await settles((difference) => difference.endsWith('is there and should not be'));
    expect(stage.anomalies).to.deep.equal([]);
  });
});

const UNDECIDED = [
  'a failover or a restore of the database lost acknowledged changes: decide with sealift recover lost-writes',
];
