import { join } from 'node:path';
import { choosePort } from '../../deploy/local/ports.ts';
import { localDirectory } from '../../deploy/local/root.ts';
import type { ServiceProcess } from '../../test/support/child-process.ts';
import { exchange, open, spell } from '../support/load.ts';
import { residentMiB } from '../support/machine.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { seedTarget, slowDown, workerProgram } from '../support/work.ts';
import { setDisabled } from './drain.ts';

const TYPE = 'cloud1-sm';
const MOST = { most: 150 };
const CONNECTIONS = 500;
// As make up keeps it, and as the image brings it.
const CACHE = { NODE_COMPILE_CACHE: join(localDirectory, 'compile-cache') };

/** Measures resident memory of an idle and a busy worker, and of the API with many connections. */
export const memory = {
  name: 'memory',
  measures: ['libs/sync', 'libs/service', 'services/api/http'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(
      stage,
      async (scene) => {
        await stage.fakes.reset(TYPE);
        const queued = stage.quick ? 5000 : 100_000;
        const worker = await startCompiled(scene, workerProgram(TYPE));
        const idle = await settled(worker);
        const rows = [createRow({ measure: 'memory, worker idle', unit: 'MiB', value: idle }, [MOST])];
        const target = await seedTarget(stage, scene, TYPE, queued);
        // The store is slow, so that the queue stays long during the measurement.
        await slowDown(stage, TYPE, 50);
        await setDisabled(scene, true);
        await scene.context.db('associations').update({ due_at: scene.context.db.fn.now() });
        await setDisabled(scene, false);
        scene.notifyWork(new Map([[TYPE, [target.id]]]));
        const [first, last] = await watch(worker, stage.quick ? 6 : 20);
        await setDisabled(scene, true);
        await stage.fakes.calm(TYPE);
        const measure = `memory, worker with ${queued} queued`;
        rows.push(createRow({ measure, unit: 'MiB', value: last }, [MOST]));
        rows.push(
          createRow({ measure: `${measure}: late over early`, unit: 'MiB', value: last, floor: first }, [
            { of: 'ratio', most: 1.25 },
          ]),
        );
        rows.push(...(await apiRows(stage, scene)));
        return rows;
      },
      CACHE,
    ),
};

/** Watches resident memory for this many seconds. Returns the mean of the first third and of the last third. */
async function watch(service: ServiceProcess, seconds: number): Promise<[number, number]> {
  const figures: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await wait(1000);
    figures.push(await residentMiB(service));
  }
  const third = Math.ceil(seconds / 3);
  const mean = (part: number[]): number => part.reduce((sum, one) => sum + one, 0) / part.length;
  return [mean(figures.slice(0, third)), mean(figures.slice(-third))];
}

async function apiRows(stage: Stage, scene: Scene): Promise<Row[]> {
  const port = await choosePort(undefined);
  const api = await startCompiled(scene, 'programs/api/main.js', { PORT: String(port) });
  const idle = await settled(api);
  const hostname = '127.0.0.1';
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(hostname, port)));
  const read = spell(
    { method: 'GET', path: '/v1/secret/data/bench-1', headers: { authorization: `Bearer ${scene.token}` } },
    hostname,
  );
  const end = performance.now() + (stage.quick ? 3000 : 10_000);
  const load = sockets.map(async (socket) => {
    while (performance.now() < end) await exchange(socket, read);
  });
  const [, last] = await watch(api, stage.quick ? 2 : 9);
  await Promise.all(load);
  for (const socket of sockets) socket.destroy();
  return [
    createRow({ measure: 'memory, API idle', unit: 'MiB', value: idle }, [MOST]),
    createRow({ measure: `memory, API with ${CONNECTIONS} busy connections`, unit: 'MiB', value: last }, [
      MOST,
    ]),
  ];
}

/** Starts a program after a run of it that left what Node compiled. */
async function startCompiled(
  scene: Scene,
  program: string,
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  const first = await scene.startWorker(program, environment);
  await first.kill('SIGTERM');
  return scene.startWorker(program, environment);
}

async function settled(service: ServiceProcess): Promise<number> {
  // By then it has collected what only its start needed.
  await wait(7000);
  return residentMiB(service);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
