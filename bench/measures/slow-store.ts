import { watchProcessors } from '../support/busy.ts';
import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { slowTo } from '../support/slow-down.ts';
import { withInstallation, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { drain, measureRound, pushAll, seedTarget, workerProgram } from '../support/work.ts';

// The store whose SDK uses the least CPU: these rows show how slots and workers are used, not the cost of an SDK.
const TYPE = 'cloud2-kv';
const DELAY_MS = 50;
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
      await slowTo(stage, TYPE, DELAY_MS);
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
