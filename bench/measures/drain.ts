import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { withInstallations, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { awsSettings } from '../support/stores.ts';
import { measureRound, seedTarget, waitUntilIdle, workerProgram, type Target } from '../support/work.ts';

const TYPE = 'cloud1-sm';

/** One of the compared queues, in its own installation. */
type Queue = { size: number; scene: Scene; target: Target; rates: number[] };

/** Compares how fast a long and a short queue drain after syncing was disabled. Turns alternate, as machine speed varies. */
export const drainQueue = {
  name: 'drain',
  measures: ['libs/sync', 'libs/store/orders'],
  run: async (stage: Stage): Promise<Row[]> => {
    await stage.fakes.reset(TYPE);
    return withInstallations(
      stage,
      stage.quick ? [200, 5000] : [1000, 100_000],
      (scene, size) => fill(stage, scene, size),
      async (queues) => {
        for (let round = 0; round < stage.rounds; round += 1) {
          for (const queue of queues) queue.rates.push(...(await takeTurn(stage, queue)));
        }
        for (const { size, rates } of queues)
          stage.say(`drain of ${size}: ${rates.map(Math.round).join(', ')}/s`);
        const [short, long] = queues;
        const measure = `drain of ${long?.size} queued while disabled (floor: of ${short?.size})`;
        const line = { measure, unit: '1/s', value: rateOf(long), floor: rateOf(short) };
        return [createRow(line, [{ of: 'ratio', least: 0.9 }])];
      },
    );
  },
};

function rateOf(queue: Queue | undefined): number {
  return median(queue?.rates ?? []);
}

async function fill(stage: Stage, scene: Scene, size: number): Promise<Queue> {
  // The installations share the store, so each uses its own region.
  const target = await seedTarget(stage, scene, TYPE, size, { settings: awsSettings(`drain-${size}`) });
  await scene.startWorker(workerProgram(TYPE));
  const queue = { size, scene, target, rates: [] };
  // The first drain creates every entry, which costs more, so it is not counted.
  await takeTurn(stage, queue);
  return queue;
}

/** Measures pushes per second of each drain. A short queue drains several times, because code that has not run is slow. */
async function takeTurn(stage: Stage, queue: Queue): Promise<number[]> {
  const rates: number[] = [];
  const least = stage.quick ? 1000 : 10_000;
  for (let pushed = 0; pushed < least; pushed += queue.size) rates.push(await drainOnce(stage, queue));
  return rates;
}

/** Drains the queue once. Returns pushes per second. */
async function drainOnce(stage: Stage, { size, scene, target }: Queue): Promise<number> {
  await setDisabled(scene, true);
  await changeAll(scene.context);
  const { milliseconds } = await measureRound(stage, TYPE, async () => {
    await setDisabled(scene, false);
    await waitUntilIdle(scene, target.id);
  });
  return (size / milliseconds) * 1000;
}

/** Disables or enables syncing over the API. */
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
