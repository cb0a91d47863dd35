import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess } from '../../test/support/child-process.ts';
import { familySeconds } from '../support/busy.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { stores } from '../support/stores.ts';
import { workerProgram } from '../support/work.ts';

/** Measures the processor time from process start to readiness, for each process. */
export const coldStart = {
  name: 'cold-start',
  measures: ['libs/service', 'deploy/bundle.ts'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
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
          createRow(
            { measure: `start to ready, ${title}: processor time`, unit: 'ms', value: median(times) },
            [{ most: 500 }],
          ),
        );
      }
      return rows;
    }),
};

async function timeReady(scene: Scene, program: string): Promise<number> {
  const port = await choosePort(undefined);
  const service = await startProcess(program, { ...scene.environment, PORT: String(port) });
  const milliseconds = familySeconds(service.pid) * 1000;
  await service.kill('SIGKILL');
  return milliseconds;
}
