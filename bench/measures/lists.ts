import { createRow, type Row } from '../support/row.ts';
import { shoot } from '../support/load.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { seedTarget } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const PAGE = 10;
const TURNS = 4;
const TURN_MS = 120;

/** One of the installations that are compared, and the pages that are asked of it by what they are. */
type Library = { size: number; scene: Scene; pages: Map<string, string> };

/** What a page of a list costs with few rows and with very many: asked in turns, so that a busy moment meets all sizes alike. */
export const lists = {
  name: 'lists',
  run: (stage: Stage): Promise<Row[]> => {
    const sizes = stage.quick ? [PAGE, 1000, 5000] : [PAGE, 1000, 100_000];
    return withLibraries(stage, sizes, [], async (libraries) => {
      const rows: Row[] = [];
      for (const title of libraries[0]?.pages.keys() ?? [])
        rows.push(...(await compare(stage, title, libraries)));
      return rows;
    });
  },
};

// Each library lives within the ones before it, so that all are there at once and each is ended in any case.
function withLibraries<Result>(
  stage: Stage,
  [size, ...sizes]: number[],
  libraries: Library[],
  play: (libraries: Library[]) => Promise<Result>,
): Promise<Result> {
  if (size === undefined) return play(libraries);
  return withInstallation(stage, async (scene) => {
    const pages = await fill(stage, scene, size);
    return withLibraries(stage, sizes, [...libraries, { size, scene, pages }], play);
  });
}

async function fill(stage: Stage, scene: Scene, size: number): Promise<Map<string, string>> {
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
  return new Map([
    ['association list', associations],
    ['association list, from the middle', `${associations}&after=${mount.accessor}/${middle}`],
    ['KV list', `/v1/secret/metadata?list=true&limit=${PAGE}`],
    ['KV list, from the middle', `/v1/secret/metadata?list=true&limit=${PAGE}&after=${middle}`],
  ]);
}

async function compare(stage: Stage, title: string, libraries: Library[]): Promise<Row[]> {
  const figures = libraries.map((): number[] => []);
  // Short turns and many: a busy moment of the machine is longer than one. The first round warms up.
  for (let round = 0; round <= stage.rounds * TURNS; round += 1) {
    for (const [index, { scene, pages }] of libraries.entries()) {
      const cost = await costOf(scene, pages.get(title) ?? '');
      if (round > 0) figures[index]?.push(cost);
    }
  }
  const [floor, ...others] = figures.map(median);
  return libraries.map(({ size }, index) => {
    const line = { measure: `${title}, ${size} rows: a page of ${PAGE}`, unit: 'ms' };
    const value = others[index - 1];
    return value === undefined
      ? createRow({ ...line, value: floor ?? Number.NaN })
      : createRow({ ...line, value, floor: floor ?? Number.NaN }, [{ of: 'ratio', most: 1.2 }]);
  });
}

async function costOf(scene: Scene, path: string): Promise<number> {
  const shot = { method: 'GET', path, headers: { authorization: `Bearer ${scene.token}` } };
  const options = { connections: 1, milliseconds: TURN_MS };
  const { latencies } = await shoot(scene.url, () => shot, options);
  return percentile(latencies, 0.5);
}
