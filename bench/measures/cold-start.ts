import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess } from '../../test/support/child-process.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { stores } from '../support/stores.ts';
import { workerProgram } from '../support/work.ts';

/** Measures the time from process start to readiness, for each process. The floor is a Node process that does nothing. */
export const coldStart = {
  name: 'cold-start',
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      const bare: number[] = [];
      for (let round = 0; round < stage.rounds; round += 1) bare.push(await timeBare());
      const programs = {
        API: 'programs/api/main.js',
        'settings worker': 'programs/settings/main.js',
        'key-maintenance worker': 'programs/key-maintenance/main.js',
        ...Object.fromEntries(Object.keys(stores).map((type) => [`worker ${type}`, workerProgram(type)])),
      };
      const rows: Row[] = [];
      for (const [title, program] of Object.entries(programs)) {
        const times: number[] = [];
        for (let round = 0; round < stage.rounds; round += 1) times.push(await timeReady(scene, program));
        rows.push(
          createRow({
            measure: `cold start to ready, ${title}`,
            unit: 'ms',
            value: median(times),
            floor: median(bare),
          }),
        );
      }
      return rows;
    }),
};

async function timeBare(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - started;
}

async function timeReady(scene: Scene, program: string): Promise<number> {
  const port = await choosePort(undefined);
  const started = performance.now();
  const service = await startProcess(program, { ...scene.environment, PORT: String(port) });
  const milliseconds = performance.now() - started;
  await service.kill('SIGKILL');
  return milliseconds;
}
