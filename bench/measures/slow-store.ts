import { watchProcessors } from '../support/busy.ts';
import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { slowTo } from '../support/slow-down.ts';
import { withInstallation, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { storeOf, stores } from '../support/stores.ts';
import { drain, measureRound, pushAll, seedTarget, workerProgram } from '../support/work.ts';

// The store whose SDK uses the least CPU: its rows show how slots and workers are used, not the cost of an SDK.
const LEAN = 'cloud2-kv';
const DELAY_MS = 50;
// Above this share of busy CPU, the machine is the limit and not the design.
const FULL = 0.9;

type Case = { type: string; concurrency: number; workers: number };

/** Measures how well a worker uses its slots, and an installation its workers, with a slow store. */
export const slowStore = {
  name: 'slow-store',
  measures: ['libs/sync', 'libs/connector', 'services/connectors'],
  run: async (stage: Stage): Promise<Row[]> => {
    const cases: Case[] = [
      { type: LEAN, concurrency: 4, workers: 1 },
      { type: LEAN, concurrency: 64, workers: 1 },
      { type: LEAN, concurrency: 16, workers: 2 },
      { type: LEAN, concurrency: 16, workers: 4 },
      ...Object.keys(stores).map((type) => ({ type, concurrency: slotsFor(type), workers: 1 })),
    ];
    const rows: Row[] = [];
    for (const one of cases) rows.push(await measureCase(stage, one));
    return rows;
  },
};

// Where a store takes few secrets, more slots would be empty from the start.
function slotsFor(type: string): number {
  const { capacity, destination } = storeOf(type);
  return Math.min(16, Math.max(1, capacity / (destination.batchSize ?? 1) / 20));
}

function measureCase(stage: Stage, { type, concurrency, workers }: Case): Promise<Row> {
  const { calls, capacity, destination } = storeOf(type);
  const ideal = (concurrency * workers * (destination.batchSize ?? 1) * 1000) / (calls * DELAY_MS);
  // The run is long enough that slots left empty at the start and the end matter little.
  const count = Math.min(capacity, Math.round(ideal * (stage.quick ? 3 : 10)));
  return withInstallation(
    stage,
    async (scene) => {
      await stage.fakes.reset(type);
      const target = await seedTarget(stage, scene, type, count);
      for (let index = 0; index < workers; index += 1) await scene.startWorker(workerProgram(type));
      // Once per worker: code that has not run often is still slow.
      for (let index = 0; index < workers; index += 1) await pushAll(stage, scene, target);
      await slowTo(stage, type, DELAY_MS);
      const rates: number[] = [];
      const shares: number[] = [];
      for (let round = 0; round < stage.rounds; round += 1) {
        await changeAll(scene.context);
        const busy = watchProcessors();
        const { milliseconds } = await measureRound(stage, type, () => drain(scene, target));
        shares.push(busy());
        rates.push((count / milliseconds) * 1000);
      }
      const share = median(shares);
      await stage.fakes.calm(type);
      const measure = `${type} at ${DELAY_MS} ms a call: ${workers} worker${workers > 1 ? 's' : ''}, ${concurrency} slots (CPU ${Math.round(share * 100)} %)`;
      const line = { measure, unit: '1/s', value: median(rates), floor: ideal };
      const row = createRow(line, [{ of: 'ratio', least: 0.9 }]);
      return !row.met && share >= FULL ? createRow(line, 'the CPU is full') : row;
    },
    { CONCURRENCY: String(concurrency) },
  );
}
