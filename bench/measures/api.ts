import { startProcess } from '../../test/support/child-process.ts';
import { choosePort } from '../../deploy/local/ports.ts';
import { shoot, type LoadResult, type Shot } from '../support/load.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median, percentile } from '../support/statistics.ts';
import { drain, seedTarget, workerProgram } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const CONNECTIONS = 16;
const SECRETS = 200;
const TURNS = 4;
// Long enough that the first requests, which open new connections, are well below 1% of all.
const TURN_MS = 600;
// Code that has not run often is still slow.
const WARM_UP_REQUESTS = 4000;
// The target: at least this share of the floor's requests per second, and the same for the floor's p99 divided by ours.
const LEAST = 0.7;

const kv = (count: number): string => `bench-${count % SECRETS}`;
const changed = (): string => JSON.stringify({ data: { password: `p${Math.random()}` } });

type Case = {
  title: string;
  shot: (count: number) => Omit<Shot, 'headers'>;
  headers?: Record<string, string>;
  /** Set for settings changes, which run one after the other: two concurrent changes of one document refuse each other. */
  connections?: number;
};

const destination = `/v1/sys/sync/destinations/${TYPE}/bench`;

const cases: Case[] = [
  { title: 'destination read', shot: () => ({ method: 'GET', path: destination }) },
  {
    title: 'association list page of 100',
    shot: () => ({ method: 'GET', path: `${destination}/associations?limit=100` }),
  },
  { title: 'KV read', shot: (count) => ({ method: 'GET', path: `/v1/secret/data/${kv(count)}` }) },
  {
    title: 'KV write',
    shot: (count) => ({ method: 'POST', path: `/v1/secret/data/${kv(count)}`, body: changed() }),
  },
  {
    title: 'associations/set (respond-async)',
    headers: { prefer: 'respond-async' },
    shot: (count) => ({
      method: 'POST',
      path: `${destination}/associations/set`,
      body: JSON.stringify({ mount: 'secret', secret_name: kv(count) }),
    }),
  },
  {
    title: 'settings PATCH, one connection',
    headers: { 'content-type': 'application/vnd.api+json' },
    connections: 1,
    shot: (count) => ({
      method: 'PATCH',
      path: '/api/v2/admin/general-settings',
      body: JSON.stringify({
        data: { type: 'general-settings', attributes: { 'api-rate-limit': 30 + (count % 100) } },
      }),
    }),
  },
];

/**
 * Measures requests per second and p99 of the API's busiest endpoints, against node:http and plain pg with the statements
 * that each cannot do without. A settings change is a command to a worker by design, so its floor is one too: one message to a
 * bare worker, which runs the statements, and one reply.
 */
export const api = {
  name: 'api',
  measures: ['services/api/endpoints', 'services/api/http', 'libs/store/secrets', 'libs/store/associations'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      await stage.fakes.reset(TYPE);
      const target = await seedTarget(stage, scene, TYPE, SECRETS);
      // Push everything once, so that the entries exist. Then stop the worker, so that it uses no CPU.
      const worker = await scene.startWorker(workerProgram(TYPE));
      await scene.context.db('associations').update({ due_at: scene.context.db.fn.now() });
      await drain(scene, target);
      await worker.kill('SIGTERM');
      await scene.startWorker('programs/settings/main.js');
      await scene.startWorker('bench/floor/api/worker.js');
      const port = await choosePort(undefined);
      const bare = await startProcess('bench/floor/api/server.js', {
        ...scene.environment,
        PORT: String(port),
      });
      try {
        const rows: Row[] = [];
        for (const one of cases)
          rows.push(...(await measureCase(stage, scene, one, `http://127.0.0.1:${port}`)));
        return rows;
      } finally {
        await bare.kill();
      }
    }),
};

async function measureCase(stage: Stage, scene: Scene, one: Case, bareUrl: string): Promise<Row[]> {
  const shotOf = (count: number): Shot => ({
    ...one.shot(count),
    headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json', ...one.headers },
  });
  const options = { connections: one.connections ?? CONNECTIONS, milliseconds: stage.quick ? 125 : TURN_MS };
  const ours: LoadResult[] = [];
  const bare: LoadResult[] = [];
  const warmUp = stage.quick ? WARM_UP_REQUESTS / 10 : WARM_UP_REQUESTS;
  for (const url of [scene.url, bareUrl]) {
    for (let done = 0; done < warmUp;) done += (await shoot(url, shotOf, options)).latencies.length;
  }
  // Many short turns: a busy moment of the machine lasts longer than one turn.
  for (let turn = 0; turn < stage.rounds * TURNS; turn += 1) {
    ours.push(await shoot(scene.url, shotOf, options));
    bare.push(await shoot(bareUrl, shotOf, options));
  }
  const rate = (results: LoadResult[]): number => median(results.map(({ perSecond }) => perSecond));
  const tail = (results: LoadResult[]): number =>
    median(results.map(({ latencies }) => percentile(latencies, 0.99)));
  stage.say(`${one.title}: ${Math.round(rate(ours))}/s, floor ${Math.round(rate(bare))}/s`);
  return [
    createRow(
      { measure: `API, ${one.title}: requests/s`, unit: '1/s', value: rate(ours), floor: rate(bare) },
      [{ of: 'ratio', least: LEAST }],
    ),
    createRow({ measure: `API, ${one.title}: p99`, unit: 'ms', value: tail(ours), floor: tail(bare) }, [
      { of: 'ratio', most: 1 / LEAST },
    ]),
  ];
}
