import { createRow, type Row } from '../support/row.ts';
import { seedAssociations, seedSecrets } from '../support/seed.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, preciseNow } from '../support/statistics.ts';
import { awsSettings } from '../support/stores.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createDestination, pushBare, workerProgram } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const FLOOR_CONCURRENCY = 64;

/** Measures one secret with very many destinations: from the reply to the write until the last vendor call. */
export const fanOut = {
  name: 'fan-out',
  measures: ['libs/sync', 'libs/store/orders', 'libs/store/due', 'libs/queue'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      const count = stage.quick ? 200 : 1000;
      await stage.fakes.reset(TYPE);
      const ids: number[] = [];
      const regions = Array.from({ length: count }, (_, index) => `region-${index}`);
      for (const region of regions)
        ids.push(await createDestination(scene, TYPE, region, awsSettings(region)));
      const [path = ''] = await seedSecrets(scene.context, 'shared-', 1);
      for (const id of ids) await seedAssociations(scene.context, id, [path]);
      await scene.startWorker(workerProgram(TYPE));
      await writeOnce(stage, scene, path, count);
      const targets = ids.map((id, index) => ({ id, settings: awsSettings(regions[index] ?? '') }));
      const floor = { type: TYPE, targets, writes: count, concurrency: FLOOR_CONCURRENCY };
      await pushBare(stage, scene, floor);
      await writeOnce(stage, scene, path, count);
      const ours: number[] = [];
      const bare: number[] = [];
      // A round is short, so run more of them to get a stable median.
      for (let round = 0; round < stage.rounds * 4; round += 1) {
        ours.push(await writeOnce(stage, scene, path, count));
        const milliseconds = await pushBare(stage, scene, floor);
        bare.push(milliseconds);
        stage.say(`fan-out: ${Math.round(ours.at(-1) ?? 0)} ms, floor ${Math.round(milliseconds)} ms`);
      }
      const rate = (milliseconds: number[]): number => (count / median(milliseconds)) * 1000;
      return [
        createRow(
          {
            measure: `one secret with ${count} destinations: calls/s from the reply to the last call`,
            unit: '1/s',
            value: rate(ours),
            floor: rate(bare),
          },
          [{ of: 'ratio', least: 0.9 }],
        ),
      ];
    }),
};

async function writeOnce(stage: Stage, scene: Scene, path: string, count: number): Promise<number> {
  await stage.fakes.take(TYPE);
  const answer = await scene.client.post(`/v1/secret/data/${path}`, {
    data: { password: `p${Math.random()}` },
  });
  const replied = preciseNow();
  if (answer.status !== 200) throw new Error(answer.text);
  await eventually(
    async () => {
      const due = await scene.context.db('associations').whereNotNull('due_at').first('id');
      return due === undefined && (await stage.fakes.count(TYPE)) >= count;
    },
    { limitMs: 120_000, everyMs: 20 },
  );
  const { stamps } = await stage.fakes.take(TYPE);
  return Math.max(...stamps.map(([time]) => time)) - replied;
}
