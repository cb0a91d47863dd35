import { watchProcessors } from '../support/busy.ts';
import { exchange, open, spell } from '../support/load.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Stage } from '../support/stage.ts';
import { changeAll } from '../support/seed.ts';
import { median } from '../support/statistics.ts';
import { drain, measureRound, pushAll, seedTarget, slowDown, workerProgram } from '../support/work.ts';

// The store whose SDK uses the least CPU: these rows show how slots and workers are used, not the cost of an SDK.
const TYPE = 'cloud2-kv';
const DELAY_MS = 50;
const TRIED_CALLS = 20;
// Above this share of busy CPU, the machine is the limit and not the design.
const FULL = 0.9;

/** Measures how well a worker uses its slots, and an installation its workers, with a slow store. */
export const slowStore = {
  name: 'slow-store',
  run: async (stage: Stage): Promise<Row[]> => {
    const cases = [
      { concurrency: 4, workers: 1 },
      { concurrency: 16, workers: 1 },
      { concurrency: 64, workers: 1 },
      { concurrency: 16, workers: 2 },
      { concurrency: 16, workers: 4 },
    ];
    const rows: Row[] = [];
    for (const one of cases) rows.push(await measureCase(stage, one));
    return rows;
  },
};

function measureCase(stage: Stage, options: { concurrency: number; workers: number }): Promise<Row> {
  const { concurrency, workers } = options;
  const ideal = (concurrency * workers * 1000) / DELAY_MS;
  // The run is long enough that slots left empty at the start and the end matter little.
  const count = Math.round(ideal * (stage.quick ? 3 : 10));
  return withInstallation(
    stage,
    async (scene) => {
      await stage.fakes.reset(TYPE);
      const target = await seedTarget(stage, scene, TYPE, count);
      for (let index = 0; index < workers; index += 1) await scene.startWorker(workerProgram(TYPE));
      // Once per worker: code that has not run often is still slow.
      for (let index = 0; index < workers; index += 1) await pushAll(stage, scene, target);
      await slowTo(stage, DELAY_MS);
      const rates: number[] = [];
      const shares: number[] = [];
      for (let round = 0; round < stage.rounds; round += 1) {
        await changeAll(scene.context);
        const busy = watchProcessors();
        const { milliseconds } = await measureRound(stage, TYPE, () => drain(scene, target));
        shares.push(busy());
        rates.push((count / milliseconds) * 1000);
      }
      const share = median(shares);
      await stage.fakes.calm(TYPE);
      const row = createRow(
        {
          measure: `${DELAY_MS} ms store: ${workers} worker${workers > 1 ? 's' : ''}, concurrency ${concurrency} (CPU ${Math.round(share * 100)} %)`,
          unit: '1/s',
          value: median(rates),
          floor: ideal,
        },
        [{ of: 'ratio', least: 0.9 }],
      );
      return !row.met && share >= FULL
        ? { ...row, met: null, target: `${row.target}, until the CPU is full` }
        : row;
    },
    { CONCURRENCY: String(concurrency) },
  );
}

/**
 * Sets the store's delay so that a bare caller waits this many milliseconds, rounded to a whole one. The delay itself is
 * shorter: the store's timer and its own work take part of the time.
 */
async function slowTo(stage: Stage, milliseconds: number): Promise<void> {
  await slowDown(stage, TYPE, milliseconds);
  const excess = (await timeBareCall(stage)) - milliseconds;
  await stage.fakes.calm(TYPE);
  await slowDown(stage, TYPE, milliseconds - Math.round(excess));
}

// The store refuses this call, which takes as long as any other.
async function timeBareCall(stage: Stage): Promise<number> {
  const { hostname, port } = new URL(stage.fakes.addresses[TYPE]?.url ?? '');
  const socket = await open(hostname, Number(port));
  const path = '/secrets/none?api-version=7.4';
  const request = spell({ method: 'PUT', path, headers: {}, body: '{}' }, hostname);
  const times: number[] = [];
  for (let call = 0; call < TRIED_CALLS; call += 1) {
    const begun = performance.now();
    await exchange(socket, request);
    times.push(performance.now() - begun);
  }
  socket.destroy();
  return median(times);
}
