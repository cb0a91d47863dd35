import { createRow, type Row } from '../support/row.ts';
import { shoot } from '../support/load.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { seedTarget } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const PAGE = 10;

/** What a page of a list costs with few rows and with very many. */
export const lists = {
  name: 'lists',
  run: async (stage: Stage): Promise<Row[]> => {
    const sizes = stage.quick ? [PAGE, 1000, 5000] : [PAGE, 1000, 100_000];
    const smallest = new Map<string, number>();
    const rows: Row[] = [];
    for (const size of sizes) {
      for (const [title, value] of await pagesAt(stage, size)) {
        const measure = `${title}, ${size} rows: a page of ${PAGE}`;
        const floor = smallest.get(title);
        rows.push(
          floor === undefined
            ? createRow({ measure, unit: 'ms', value })
            : createRow({ measure, unit: 'ms', value, floor }, [{ of: 'ratio', most: 1.2 }]),
        );
        if (floor === undefined) smallest.set(title, value);
      }
    }
    return rows;
  },
};

function pagesAt(stage: Stage, size: number): Promise<Map<string, number>> {
  return withInstallation(stage, async (scene) => {
    await seedTarget(stage, scene, TYPE, size);
    // As autovacuum would have done by itself some time after so many rows.
    await scene.context.db.raw('ANALYZE');
    const mount: { accessor: string } = await scene.context
      .db('mounts')
      .where({ path: 'secret' })
      .first('accessor');
    // The page in the middle: a list that counts its way there would show it. Every page is full.
    const middle = size > PAGE ? `bench-${Math.floor(size / 2)}` : 'bench-';
    const associations = `/v1/sys/sync/destinations/${TYPE}/bench/associations?limit=${PAGE}`;
    const paths = {
      'association list': associations,
      'association list, from the middle': `${associations}&after=${mount.accessor}/${middle}`,
      'KV list': `/v1/secret/metadata?list=true&limit=${PAGE}`,
      'KV list, from the middle': `/v1/secret/metadata?list=true&limit=${PAGE}&after=${middle}`,
    };
    const costs = new Map<string, number>();
    for (const [title, path] of Object.entries(paths)) costs.set(title, await costOf(stage, scene, path));
    return costs;
  });
}

async function costOf(stage: Stage, scene: Scene, path: string): Promise<number> {
  const shot = { method: 'GET', path, headers: { authorization: `Bearer ${scene.token}` } };
  const options = { connections: 1, milliseconds: stage.quick ? 200 : 500 };
  await shoot(scene.url, () => shot, options);
  const figures: number[] = [];
  for (let round = 0; round < stage.rounds; round += 1) {
    const { latencies } = await shoot(scene.url, () => shot, options);
    figures.push(percentile(latencies, 0.5));
  }
  return median(figures);
}
