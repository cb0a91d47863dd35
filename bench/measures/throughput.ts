import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { storeOf, stores } from '../support/stores.ts';
import { drain, pushAll, pushBare, seedTarget, workerProgram, type Target } from '../support/work.ts';

/** Measures pushes per second of one worker, and how many vendor calls they took, for each store. */
export const throughput = {
  name: 'throughput',
  measures: ['libs/sync', 'libs/store/orders', 'libs/connector', 'services/connectors'],
  run: async (stage: Stage): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const type of Object.keys(stores)) rows.push(...(await measureStore(stage, type)));
    return rows;
  },
};

function measureStore(stage: Stage, type: string): Promise<Row[]> {
  const { capacity, destination, calls, limit } = storeOf(type);
  const count = Math.min(capacity, stage.quick ? 1000 : 10_000);
  const batch = destination.batchSize ?? 1;
  // A round is short, a small one most of all, so run many to get a stable median on a shared machine.
  const rounds = stage.rounds * (count < 1000 ? 6 : 2);
  return withInstallation(stage, async (scene) => {
    // Resets all stores: data left in another store costs time whenever the shared process collects garbage.
    for (const each of Object.keys(stores)) await stage.fakes.reset(each);
    const target = await seedTarget(stage, scene, type, count);
    await scene.startWorker(workerProgram(type));
    const floor = { type, targets: [target], writes: Math.ceil(count / batch) };
    await pushAll(stage, scene, target);
    await pushBare(stage, scene, floor);
    const ours: number[] = [];
    const bare: number[] = [];
    const called: number[] = [];
    for (let index = 0; index < rounds; index += 1) {
      const round = await pushAll(stage, scene, target);
      ours.push((count / round.milliseconds) * 1000);
      called.push(round.calls / count);
      bare.push((count / (await pushBare(stage, scene, floor))) * 1000);
      stage.say(`${type}: ${Math.round(ours.at(-1) ?? 0)}/s, floor ${Math.round(bare.at(-1) ?? 0)}/s`);
    }
    const line = {
      measure: `${type}: pushes/s, ${count} changed secrets, one worker`,
      unit: '1/s',
      value: median(ours),
      floor: median(bare),
    };
    const most = calls / batch;
    return [
      // Where the store takes so few, nobody reaches either rate at one destination.
      createRow(line, limit ? sayLimit(limit) : [{ of: 'ratio', least: 0.9 }]),
      createRow(
        { measure: `${type}: vendor calls per changed secret`, unit: 'calls', value: median(called) },
        [{ most }],
      ),
      await refreshRow(stage, scene, target, count),
    ];
  });
}

function sayLimit({ writes, perMs }: { writes: number; perMs: number }): string {
  return `the store takes ${(writes / perMs) * 1000} writes/s`;
}

async function refreshRow(stage: Stage, scene: Scene, target: Target, count: number): Promise<Row> {
  const { db } = scene.context;
  // The floor wrote last, with values that Sealift does not know.
  await pushAll(stage, scene, target);
  await stage.fakes.take(target.type);
  await db('associations').update({ generation: db.raw('generation + 1'), due_at: db.fn.now() });
  await drain(scene, target);
  const { stamps } = await stage.fakes.take(target.type);
  return createRow(
    {
      measure: `${target.type}: vendor calls per unchanged refresh`,
      unit: 'calls',
      value: stamps.length / count,
    },
    [{ most: 0 }],
  );
}
