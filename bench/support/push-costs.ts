import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../simulation/fit.ts';
import { familySeconds, postgresSeconds } from './busy.ts';
import { processorSeconds } from './machine.ts';
import { changeAll } from './seed.ts';
import { slowTo } from './slow-down.ts';
import { withInstallation, type Scene, type Stage } from './stage.ts';
import { median } from './statistics.ts';
import { storeOf } from './stores.ts';
import { measureRound, seedTarget, waitUntilIdle, workerProgram, type Round, type Target } from './work.ts';

// The store whose SDK uses the least CPU.
const TYPE = 'cloud2-kv';

/** Calls of a measured push, one after the other. */
export const callsOfPush = storeOf(TYPE).calls;

const IDLE_MS = 5000;

/** A run of some workers and destinations; the store takes `storeMs` for a call. */
export type Case = { workers: number; destinations: number; concurrency: number; storeMs: number };

/** What the pushes of a run cost, and how many there were a second. */
export type Measured = Sample & { rate: number };

/** Measures a run. An idle installation sweeps and polls too: that is no cost of a push, and is taken off. */
export function measurePushes(stage: Stage, one: Case): Promise<Measured> {
  const { workers, destinations, concurrency, storeMs } = one;
  const ideal = (concurrency * destinations * workers * 1000) / (callsOfPush * storeMs);
  const secrets = Math.round((ideal * (stage.quick ? 3 : 10)) / destinations);
  return withInstallation(
    stage,
    async (scene) => {
      await stage.fakes.reset(TYPE);
      const targets: Target[] = [];
      for (let index = 0; index < destinations; index += 1)
        targets.push(await seedTarget(stage, scene, TYPE, secrets, { name: `bench-${index}` }));
      const started: Worker[] = [];
      for (let index = 0; index < workers; index += 1)
        started.push(await scene.startWorker(workerProgram(TYPE)));
      // Once per worker: code that has not run often is still slow.
      for (let index = 0; index < workers; index += 1) {
        await changeAll(scene.context);
        await drainAll(stage, scene, targets);
      }
      await slowTo(stage, TYPE, storeMs);
      const idle = await measureUsage(scene, started, () => sleep(IDLE_MS));
      const rounds: Measured[] = [];
      for (let round = 0; round < stage.rounds; round += 1) {
        await changeAll(scene.context);
        let milliseconds = 0;
        const used = await measureUsage(scene, started, async () => {
          ({ milliseconds } = await drainAll(stage, scene, targets));
        });
        rounds.push(judge(one, { count: secrets * destinations, milliseconds, used, idle }));
      }
      stage.say(`${JSON.stringify(one)}: ${JSON.stringify(middle(rounds))}`);
      await stage.fakes.calm(TYPE);
      return middle(rounds);
    },
    { CONCURRENCY: String(concurrency) },
  );
}

function drainAll(stage: Stage, scene: Scene, targets: Target[]): Promise<Round> {
  return measureRound(stage, TYPE, async () => {
    scene.notifyWork(new Map([[TYPE, targets.map(({ id }) => id)]]));
    for (const { id } of targets) await waitUntilIdle(scene, id);
  });
}

function judge(
  { workers, destinations, concurrency, storeMs }: Case,
  round: { count: number; milliseconds: number; used: Usage; idle: Usage },
): Measured {
  const { count, milliseconds, used, idle } = round;
  const perPush = (part: 'worker' | 'postgres' | 'others' | 'log'): number =>
    Math.max(0, used[part] - (idle[part] * used.at) / idle.at) / count;
  return {
    rate: (count / milliseconds) * 1000,
    perClaim: concurrency / 2,
    gapMs: Math.max(0, (milliseconds * concurrency * destinations * workers) / count - callsOfPush * storeMs),
    worker: perPush('worker'),
    postgres: perPush('postgres'),
    others: perPush('others'),
    log: perPush('log'),
  };
}

type Worker = Awaited<ReturnType<Scene['startWorker']>>;

/** Processor in milliseconds, write-ahead log in bytes, and the moment in milliseconds. */
type Usage = Record<'worker' | 'postgres' | 'others' | 'log' | 'at', number>;

async function measureUsage(scene: Scene, workers: Worker[], act: () => Promise<unknown>): Promise<Usage> {
  const before = await readUsage(scene, workers);
  await act();
  const after = await readUsage(scene, workers);
  return {
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
    others: after.others - before.others,
    log: after.log - before.log,
    at: after.at - before.at,
  };
}

async function readUsage({ context: { db } }: Scene, workers: Worker[]): Promise<Usage> {
  const { rows } = await db.raw<{ rows: { bytes: string }[] }>(
    "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes",
  );
  const seconds = await Promise.all(workers.map(processorSeconds));
  const worker = seconds.reduce((sum, one) => sum + one, 0) * 1000;
  return {
    worker,
    postgres: (await postgresSeconds(db)) * 1000,
    others: familySeconds(process.pid) * 1000 - worker,
    log: Number(rows[0]?.bytes),
    at: performance.now(),
  };
}

function middle(rounds: Measured[]): Measured {
  const middleOf = (key: keyof Measured): number => median(rounds.map((round) => round[key]));
  return {
    rate: middleOf('rate'),
    perClaim: middleOf('perClaim'),
    gapMs: middleOf('gapMs'),
    worker: middleOf('worker'),
    postgres: middleOf('postgres'),
    others: middleOf('others'),
    log: middleOf('log'),
  };
}
