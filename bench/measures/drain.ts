import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { withInstallations, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { awsSettings } from '../support/stores.ts';
import { measureRound, seedTarget, waitUntilIdle, workerProgram, type Target } from '../support/work.ts';

const TYPE = 'cloud1-sm';

/** One of the queues that are compared, in an installation of its own. */
type Queue = { size: number; scene: Scene; target: Target; rates: number[] };

/** Whether a long queue drains as fast as a short one, after syncing was disabled: in turns, as the machine's speed changes. */
export const drainQueue = {
  name: 'drain',
  run: async (stage: Stage): Promise<Row[]> => {
    await stage.fakes.reset(TYPE);
    return withInstallations(
      stage,
      stage.quick ? [200, 1000, 5000] : [1000, 10_000, 100_000],
      (scene, size) => fill(stage, scene, size),
      async (queues) => {
        for (let round = 0; round < stage.rounds; round += 1) {
          for (const queue of queues) queue.rates.push(...(await takeTurn(stage, queue)));
        }
        const [smallest] = queues;
        return queues.map((queue) => {
          stage.say(`drain of ${queue.size}: ${queue.rates.map(Math.round).join(', ')}/s`);
          const measure = `drain of ${queue.size} queued while disabled`;
          const line = { measure, unit: '1/s', value: median(queue.rates) };
          if (!smallest || queue === smallest) return createRow(line);
          const isLargest = queue === queues.at(-1);
          const floor = median(smallest.rates);
          return createRow({ ...line, floor }, isLargest ? [{ of: 'ratio', least: 0.9 }] : []);
        });
      },
    );
  },
};

async function fill(stage: Stage, scene: Scene, size: number): Promise<Queue> {
  // They share the store: each has a region of its own.
  const target = await seedTarget(stage, scene, TYPE, size, { settings: awsSettings(`drain-${size}`) });
  await scene.startWorker(workerProgram(TYPE));
  const queue = { size, scene, target, rates: [] };
  // The first time every entry is created, which costs more.
  await takeTurn(stage, queue);
  return queue;
}

/** Pushes a second of each drain: a short queue is drained several times, as code that has not run for a while is slow. */
async function takeTurn(stage: Stage, queue: Queue): Promise<number[]> {
  const rates: number[] = [];
  const least = stage.quick ? 1000 : 10_000;
  for (let pushed = 0; pushed < least; pushed += queue.size) rates.push(await drainOnce(stage, queue));
  return rates;
}

/** Pushes a second. */
async function drainOnce(stage: Stage, { size, scene, target }: Queue): Promise<number> {
  await setDisabled(scene, true);
  await changeAll(scene.context);
  const { milliseconds } = await measureRound(stage, TYPE, async () => {
    await setDisabled(scene, false);
    await waitUntilIdle(scene, target.id);
  });
  return (size / milliseconds) * 1000;
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
