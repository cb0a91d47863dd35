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
// Writes before the measured ones: a worker that was paused is slow at first.
const WARM_UP = 20;

/** A worker with a healthy destination next to a second one, healthy or ill; `figures`: p99 of the healthy one per round. */
type Side = { scene: Scene; worker: ServiceProcess; healthy: Target; figures: number[] };

/** Measures how a destination that hangs or throttles slows a healthy destination of the same worker. */
export const fairness = {
  name: 'fairness',
  measures: ['libs/sync/scheduler', 'libs/store/orders'],
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
      // Turns alternate, because the speed of the machine varies.
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

  // The other installation is paused meanwhile, so the illness of one destination is the only difference.
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
  // Both sides get the same second destination, until one of them falls ill.
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

// Gives a resumed worker time to claim again, and the ill destination time to reach its full effect.
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1500));
}
