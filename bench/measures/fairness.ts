import { changeAll } from '../support/seed.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { awsSettings } from '../support/stores.ts';
import { pushAll, seedTarget, workerProgram, type Target } from '../support/work.ts';
import { waitsOf } from './latency.ts';

const TYPE = 'cloud1-sm';
const MOODS = ['hang', 'throttle'];

/** What a healthy destination feels of another one of the same worker that hangs or throttles. */
export const fairness = {
  name: 'fairness',
  run: async (stage: Stage): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const mood of MOODS) rows.push(await measureMood(stage, mood));
    return rows;
  },
};

function measureMood(stage: Stage, mood: string): Promise<Row> {
  const waiting = stage.quick ? 1000 : 10_000;
  const writes = stage.quick ? 60 : 200;
  return withInstallation(stage, async (scene) => {
    await stage.fakes.reset(TYPE);
    await scene.startWorker(workerProgram(TYPE), { AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.fakes.moodyUrl });
    const healthy = await seedTarget(stage, scene, TYPE, 20, {
      name: 'healthy',
      settings: awsSettings('healthy-1'),
    });
    await pushAll(stage, scene, healthy);
    // There from the beginning, so that its illness is all the difference.
    const ill = await seedTarget(stage, scene, TYPE, waiting, {
      name: mood,
      settings: awsSettings(`${mood}-1`),
    });
    await waitsOf(stage, scene, healthy, 40);
    const alone = await sample(() => waitsOf(stage, scene, healthy, writes));
    await fallIll(scene, ill);
    const beside = await sample(() => waitsOf(stage, scene, healthy, writes));
    return createRow(
      {
        measure: `p99 of a healthy destination while another ${mood}s with ${waiting} waiting`,
        unit: 'ms',
        value: beside,
        floor: alone,
      },
      [{ of: 'ratio', most: 1.2 }],
    );
  });

  async function sample(take: () => Promise<number[]>): Promise<number> {
    const figures: number[] = [];
    for (let round = 0; round < stage.rounds; round += 1) figures.push(percentile(await take(), 0.99));
    return median(figures);
  }
}

async function fallIll(scene: Scene, ill: Target): Promise<void> {
  await changeAll(scene.context, ill.id);
  scene.wakes.send(new Map([[TYPE, [ill.id]]]));
  // Its first claims have ended, and it is as ill as it will be.
  await new Promise((resolve) => setTimeout(resolve, 1500));
}
