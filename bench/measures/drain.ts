import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { measureRound, seedTarget, waitUntilIdle, workerProgram, type Target } from '../support/work.ts';

const TYPE = 'cloud1-sm';

/** Whether a long queue drains as fast as a short one, after syncing was disabled. */
export const drainQueue = {
  name: 'drain',
  run: async (stage: Stage): Promise<Row[]> => {
    const sizes = stage.quick ? [200, 1000, 5000] : [1000, 10_000, 100_000];
    const rows: Row[] = [];
    let smallest: number | undefined;
    for (const size of sizes) {
      const rate = await rateAt(stage, size);
      const isLast = size === sizes.at(-1);
      const line = { measure: `drain of ${size} queued while disabled`, unit: '1/s', value: rate };
      rows.push(
        smallest === undefined
          ? createRow(line)
          : createRow({ ...line, floor: smallest }, isLast ? [{ of: 'ratio', least: 0.9 }] : []),
      );
      smallest ??= rate;
    }
    return rows;
  },
};

function rateAt(stage: Stage, size: number): Promise<number> {
  return withInstallation(stage, async (scene) => {
    await stage.fakes.reset(TYPE);
    const target = await seedTarget(stage, scene, TYPE, size);
    const warmUp = stage.quick ? 1000 : 10_000;
    await scene.startWorker(workerProgram(TYPE));
    // The first time every entry is created, which costs more, and code that has run little is slow.
    for (let pushed = 0; pushed < warmUp; pushed += size) await drainOnce(stage, scene, target);
    const rates: number[] = [];
    for (let round = 0; round < stage.rounds; round += 1)
      rates.push((size / (await drainOnce(stage, scene, target))) * 1000);
    stage.say(`drain of ${size}: ${rates.map(Math.round).join(', ')}/s`);
    return median(rates);
  });
}

async function drainOnce(stage: Stage, scene: Scene, target: Target): Promise<number> {
  await setDisabled(scene, true);
  await changeAll(scene.context);
  const { milliseconds } = await measureRound(stage, TYPE, async () => {
    await setDisabled(scene, false);
    await waitUntilIdle(scene, target.id);
  });
  return milliseconds;
}

/** Turns syncing off or on, as a person would. */
export async function setDisabled(scene: Scene, disabled: boolean): Promise<void> {
  const answer = await scene.client.patch(
    '/v1/sys/sync/config',
    { disabled },
    {
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  );
  if (answer.status >= 300) throw new Error(answer.text);
}
