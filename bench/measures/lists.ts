import { createRow, type Row } from '../support/row.ts';
import { shoot } from '../support/load.ts';
import { withInstallations, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { seedTarget } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const PAGE = 10;
const TURNS = 4;
const TURN_MS = 120;

/** One of the compared installations, and the list pages that are requested from it, by title. */
type Library = { size: number; scene: Scene; pages: Map<string, string> };

/** Compares the cost of a list page with few and with very many rows, in turns: a busy moment affects all sizes alike. */
export const lists = {
  name: 'lists',
  measures: ['libs/store/associations', 'libs/store/secrets'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallations(
      stage,
      stage.quick ? [PAGE, 5000] : [PAGE, 100_000],
      (scene, size) => fill(stage, scene, size),
      async (libraries) => {
        const rows: Row[] = [];
        for (const title of libraries[0]?.pages.keys() ?? [])
          rows.push(await compare(stage, title, libraries));
        return rows;
      },
    ),
};

async function fill(stage: Stage, scene: Scene, size: number): Promise<Library> {
  await seedTarget(stage, scene, TYPE, size);
  // Autovacuum would do this by itself some time after so many inserts.
  await scene.context.db.raw('ANALYZE');
  const mount: { accessor: string } = await scene.context
    .db('mounts')
    .where({ path: 'secret' })
    .first('accessor');
  // A page in the middle shows whether a list has to scan all rows before it. Every page is full.
  const middle = size > PAGE ? `bench-${Math.floor(size / 2)}` : 'bench-';
  const associations = `/v1/sys/sync/destinations/${TYPE}/bench/associations?limit=${PAGE}`;
  const pages = new Map([
    ['association list', associations],
    ['association list, from the middle', `${associations}&after=${mount.accessor}/${middle}`],
    ['KV list', `/v1/secret/metadata?list=true&limit=${PAGE}`],
    ['KV list, from the middle', `/v1/secret/metadata?list=true&limit=${PAGE}&after=${middle}`],
  ]);
  return { size, scene, pages };
}

async function compare(stage: Stage, title: string, libraries: Library[]): Promise<Row> {
  const figures = libraries.map((): number[] => []);
  // Many short turns: a busy moment of the machine lasts longer than one turn. The first round is a warm-up.
  for (let round = 0; round <= stage.rounds * TURNS; round += 1) {
    for (const [index, { scene, pages }] of libraries.entries()) {
      const cost = await costOf(scene, pages.get(title) ?? '');
      if (round > 0) figures[index]?.push(cost);
    }
  }
  const [few = Number.NaN, many = Number.NaN] = figures.map(median);
  const measure = `${title}, ${libraries[1]?.size} rows: a page of ${PAGE} (floor: of ${PAGE} rows)`;
  return createRow({ measure, unit: 'ms', value: many, floor: few }, [{ of: 'ratio', most: 1.2 }]);
}

async function costOf(scene: Scene, path: string): Promise<number> {
  const shot = { method: 'GET', path, headers: { authorization: `Bearer ${scene.token}` } };
  const options = { connections: 1, milliseconds: TURN_MS };
  const { latencies } = await shoot(scene.url, () => shot, options);
  return percentile(latencies, 0.5);
}
