import { setTimeout as sleep } from 'node:timers/promises';
import { createRow, type Row } from '../support/row.ts';
import type { Scene, Stage } from '../support/stage.ts';
import { withInstallation } from '../support/stage.ts';
import { median, percentile, preciseNow } from '../support/statistics.ts';
import { pushAll, pushBare, seedTarget, waitUntilIdle, workerProgram, type Target } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const WARM_UP = 20;

/** Measures the time from the reply to a KV write until the call arrives at the store, on an idle installation. */
export const latency = {
  name: 'latency',
  measures: ['libs/sync', 'libs/store/orders', 'libs/store/due', 'libs/queue'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      await scene.startWorker(workerProgram(TYPE));
      await stage.fakes.reset(TYPE);
      const target = await seedTarget(stage, scene, TYPE, 20);
      await pushAll(stage, scene, target);
      const writes = stage.quick ? 40 : 200;
      const waits: number[][] = [];
      const floors: number[][] = [];
      for (let round = 0; round < stage.rounds; round += 1) {
        // Code that has not run for a while is slow at first.
        await waitsOf(stage, scene, target, WARM_UP);
        waits.push(await waitsOf(stage, scene, target, writes));
        await floorsOf(stage, scene, target, WARM_UP);
        floors.push(await floorsOf(stage, scene, target, writes));
      }
      return [0.5, 0.99].map((share) =>
        createRow(
          {
            measure: `KV write's reply → call at the store, idle, p${share * 100}`,
            unit: 'ms',
            value: median(waits.map((sample) => percentile(sample, share))),
            floor: median(floors.map((sample) => percentile(sample, share))),
          },
          share === 0.5 ? [{ most: 10 }, { of: 'ratio', most: 3 }] : [{ most: 50 }],
        ),
      );
    }),
};

// Both sides pause equally long between two calls, because code that has just run is faster.
const PAUSE_MS = 20;

/** Milliseconds from reply to arrival, for KV writes in sequence; each write waits until the one before has settled. */
export async function waitsOf(stage: Stage, scene: Scene, target: Target, count: number): Promise<number[]> {
  const waits: number[] = [];
  await stage.fakes.take(target.type);
  for (let index = 0; index < count; index += 1) {
    const path = target.paths[index % target.paths.length] ?? '';
    const answer = await scene.client.post(`/v1/secret/data/${path}`, {
      data: { password: `p${Math.random()}` },
    });
    const replied = preciseNow();
    if (answer.status !== 200) throw new Error(answer.text);
    await waitUntilIdle(scene, target.id, PAUSE_MS);
    const { stamps } = await stage.fakes.take(target.type);
    const arrival = stamps.find(([, , name]) => name === path)?.[0];
    if (arrival === undefined) throw new Error('a write did not arrive');
    waits.push(Math.max(0, arrival - replied));
  }
  return waits;
}

/** The same for the floor, from its claim, for one due association at a time. */
async function floorsOf(stage: Stage, scene: Scene, target: Target, count: number): Promise<number[]> {
  const { db } = scene.context;
  const entries = db('entries').where({ destination_id: target.id }).orderBy('id');
  const ids: number[] = await entries.pluck('association_id');
  const due = { generation: db.raw('generation + 1'), due_at: db.fn.now() };
  const floors: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(PAUSE_MS);
    const makeDue = async (): Promise<unknown> =>
      db('associations')
        .where({ id: ids[index % ids.length] })
        .update(due);
    floors.push(await pushBare(stage, scene, { type: TYPE, targets: [target], writes: 1, makeDue }));
  }
  return floors;
}
