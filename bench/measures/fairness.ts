import type { ServiceProcess } from '../../test/support/child-process.ts';
import { changeAll } from '../support/seed.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallations, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { awsSettings } from '../support/stores.ts';
import { pushAll, seedTarget, workerProgram, type Target } from '../support/work.ts';
import { waitsOf } from './latency.ts';

const TYPE = 'cloud1-sm';
const MOODS = ['hang', 'throttle'];
// Writes before those that count: who stood still is slow at first.
const WARM_UP = 20;

/** An installation whose worker serves a healthy destination beside one that is well, or ill; its p99 of each round. */
type Side = { scene: Scene; worker: ServiceProcess; healthy: Target; figures: number[] };

/** What a healthy destination feels of another one of the same worker that hangs or throttles. */
export const fairness = {
  name: 'fairness',
  run: async (stage: Stage): Promise<Row[]> => {
    const rows: Row[] = [];
    await stage.fakes.reset(TYPE);
    for (const mood of MOODS) rows.push(await measureMood(stage, mood));
    return rows;
  },
};

function measureMood(stage: Stage, mood: string): Promise<Row> {
  const waiting = stage.quick ? 1000 : 10_000;
  const writes = stage.quick ? 60 : 200;
  return withInstallations(
    stage,
    ['well', mood],
    (scene, state) => furnish(stage, { scene, state, waiting }),
    async (sides) => {
      // In turns, as the machine's speed changes.
      for (let round = 0; round < stage.rounds; round += 1) {
        for (const side of sides) await takeTurn(side, sides);
      }
      const [alone, beside] = sides.map(({ figures }) => median(figures));
      const measure = `p99 of a healthy destination while another ${mood}s with ${waiting} waiting`;
      return createRow({ measure, unit: 'ms', value: beside ?? Number.NaN, floor: alone ?? Number.NaN }, [
        { of: 'ratio', most: 1.2 },
      ]);
    },
  );

  // The other installation stands still meanwhile: whatever differs is the illness of one and the same worker.
  async function takeTurn(side: Side, sides: Side[]): Promise<void> {
    for (const { worker } of sides) worker.pause();
    side.worker.resume();
    await settle();
    await waitsOf(stage, side.scene, side.healthy, WARM_UP);
    side.figures.push(percentile(await waitsOf(stage, side.scene, side.healthy, writes), 0.99));
  }
}

async function furnish(
  stage: Stage,
  { scene, state, waiting }: { scene: Scene; state: string; waiting: number },
): Promise<Side> {
  const worker = await scene.startWorker(workerProgram(TYPE), {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.fakes.moodyUrl,
  });
  const healthy = await seedTarget(stage, scene, TYPE, 20, {
    name: 'healthy',
    settings: awsSettings(`healthy-${state}`),
  });
  await pushAll(stage, scene, healthy);
  // The same on both sides, until one of them falls ill.
  const other = await seedTarget(stage, scene, TYPE, waiting, {
    name: state,
    settings: awsSettings(`${state}-1`),
  });
  if (state !== 'well') await fallIll(scene, other);
  return { scene, worker, healthy, figures: [] };
}

async function fallIll(scene: Scene, ill: Target): Promise<void> {
  await changeAll(scene.context, ill.id);
  scene.notifyWork(new Map([[TYPE, [ill.id]]]));
}

// A worker has taken up its claims again, and is as ill as it will be.
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1500));
}
