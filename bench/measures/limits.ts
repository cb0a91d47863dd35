import { setTimeout as sleep } from 'node:timers/promises';
import type { Stamp } from '../support/fakes.ts';
import { createRow, type Row } from '../support/row.ts';
import { changeAll } from '../support/seed.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, preciseNow } from '../support/statistics.ts';
import { storeOf } from '../support/stores.ts';
import { seedTarget, waitUntilIdle, workerProgram, type Target } from '../support/work.ts';

/** The stores with a documented limit, which the fakes enforce over a sliding window; enough secrets for the whole time. */
const LIMITED = [
  { type: 'cloud1-sm', vendor: 'AWS', secrets: 2500 },
  { type: 'cloud2-kv', vendor: 'Azure', secrets: 1500 },
  { type: 'cloud3-sm', vendor: 'GCP', secrets: 800 },
  { type: 'repo-host', vendor: 'GitHub', secrets: 100 },
];
const LIMITS = LIMITED.map((one) => ({ ...one, ...limitOf(one.type) }));

/** Measures how much of a store's write limit is used, and how many calls the store refuses; all four stores at once. */
export const limits = {
  name: 'limits',
  measures: ['libs/sync/scheduler', 'libs/store/orders'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      const targets: Target[] = [];
      for (const { type, secrets } of LIMITS) {
        await stage.fakes.reset(type);
        targets.push(await seedTarget(stage, scene, type, secrets, { name: type }));
        await scene.startWorker(workerProgram(type));
      }
      await changeAll(scene.context);
      for (const target of targets) await waitUntilIdle(scene, target.id);
      for (const { type, writes, perMs } of LIMITS)
        await stage.fakes.addFault(type, { kind: 'limit', writes, perMs });
      await changeAll(scene.context);
      for (const { type, id } of targets) scene.notifyWork(new Map([[type, [id]]]));
      // The first throttled answer shows the worker that there is a limit. After that, the steady state begins.
      const settleMs = 11_000;
      await keepBusy(scene, targets, settleMs);
      for (const { type } of LIMITS) await stage.fakes.take(type);
      const begun = preciseNow();
      const lengthMs = stage.quick ? 20_000 : 50_000;
      await keepBusy(scene, targets, lengthMs);
      const rows: Row[] = [];
      for (const limit of LIMITS) rows.push(...(await judge(stage, limit, begun, lengthMs)));
      for (const { type } of LIMITS) await stage.fakes.calm(type);
      return rows;
    }),
};

// A store that takes few secrets would run out of work, so secrets that are done are changed again.
async function keepBusy(scene: Scene, targets: Target[], milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    for (const { id, paths, type } of targets) {
      const due = scene.context.db('associations').where({ destination_id: id }).whereNotNull('due_at');
      const [row] = await due.count<{ count: number }[]>('* as count');
      if (Number(row?.count) > paths.length / 2) continue;
      await changeAll(scene.context, id);
      scene.notifyWork(new Map([[type, [id]]]));
    }
    await sleep(Math.min(500, Math.max(0, end - performance.now())));
  }
}

async function judge(
  stage: Stage,
  limit: (typeof LIMITS)[number],
  begun: number,
  lengthMs: number,
): Promise<Row[]> {
  const { type, vendor, writes, perMs } = limit;
  const { stamps, refused } = await stage.fakes.take(type);
  const accepted = stamps.filter(
    ([, operation, , status]) => storeOf(type).writes.includes(operation) && status < 300,
  );
  const rates = ratesOf(
    accepted.map(([time]: Stamp) => time),
    begun,
    lengthMs,
  );
  stage.say(`${vendor}: ${rates.map((rate) => rate.toFixed(2)).join(', ')}/s, ${refused} refused`);
  return [
    createRow(
      {
        measure: `${vendor}, limited to ${writes} per ${perMs / 1000} s: writes/s`,
        unit: '1/s',
        value: median(rates),
        floor: (writes / perMs) * 1000,
      },
      [{ of: 'ratio', least: 0.97 }],
    ),
    createRow(
      {
        measure: `${vendor}, limited: share of calls refused`,
        unit: '%',
        value: (refused / Math.max(1, accepted.length + refused)) * 100,
      },
      [{ most: 1 }],
    ),
  ];
}

// Writes per second for each fifth of the time. Each fifth runs from the last write before it to its own last write:
// with a fixed span the count could be off by one write, which matters when there are few.
function ratesOf(times: number[], begun: number, lengthMs: number): number[] {
  const lastBefore = (end: number): number => times.findLast((time) => time < end) ?? begun;
  return Array.from({ length: 5 }, (_, fifth) => {
    const [from, to] = [fifth, fifth + 1].map((edge) => lastBefore(begun + (edge * lengthMs) / 5));
    const count = times.filter((time) => time > (from ?? 0) && time <= (to ?? 0)).length;
    return count === 0 ? 0 : (count / ((to ?? 0) - (from ?? 0))) * 1000;
  });
}

function limitOf(type: string): { writes: number; perMs: number } {
  const { limit } = storeOf(type);
  if (!limit) throw new Error(`${type} documents no limit`);
  return limit;
}
