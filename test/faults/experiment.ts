import { connect } from 'amqplib';
import { setTimeout as sleep } from 'node:timers/promises';
import { WRONG_COUNTS } from '../../libs/store/counts/fold-counts.ts';
import { createCanary } from './canary.ts';
import {
  findDifferences,
  findFalseSynced,
  findTouched,
  findWrittenWhileDisabled,
  type Scene,
} from './checker.ts';
import { destinationsFor } from './destinations.ts';
import type { Fault } from './fault.ts';
import { runActors, write } from './generator.ts';
import { findForeignTouched } from './judge-foreign.ts';
import { findWrongOrder } from './judge-order.ts';
import { createModel } from './model.ts';
import { createRandom, type Random } from './random.ts';
import type { Report } from './report.ts';
import { createForeignWriter } from './foreign-writer.ts';
import type { Stage } from './stage.ts';
import { CANARY_LIMIT_MS, strikeAll } from './strike-faults.ts';
import { templateOf } from './values.ts';
import type { World } from './world.ts';

/** The plan of a run. The same seed makes the same choices. */
export type Experiment = {
  seed: number;
  /** The faults strike one by one, then mixed until the time is over. With `once`, each strikes once and the run ends. */
  faults: Fault[];
  once?: boolean;
  /** No new fault starts after this time, in milliseconds from the end of the rolling restart. */
  limitMs: number;
  secrets: number;
  pauseMs: number;
  /** Set if the sweep is rare: a value that reaches its store within this time was announced by a work notification. */
  announcedWithinMs?: number;
  say: (line: string) => void;
};

const SETTLE_LIMIT_MS = 600_000;
// A difference that has not changed for this long counts as lost.
const STILL_LIMIT_MS = 90_000;
const IDLE_MS = 4000;

/** Runs an experiment in a world and compares everything with the model. */
export async function runExperiment(world: World, experiment: Experiment): Promise<Report> {
  const { seed, say } = experiment;
  const random = createRandom(seed);
  const model = createModel(experiment.secrets, destinationsFor(experiment, world.stores));
  const scene: Scene = { model, stores: world.stores, caller: world.caller };
  await createDestinations(scene);
  const canary = await createCanary(world.caller, world.stores);
  await canary.measure(CANARY_LIMIT_MS);

  const report = createReport(world, model);
  let running = true;
  const somebody = createForeignWriter(world.stores);
  const stage: Stage = {
    model,
    caller: world.caller,
    syncing: world.syncing,
    random: random.fork('actors'),
    running: () => running,
    pauseMs: experiment.pauseMs,
    anomalies: report.anomalies,
  };
  const actors = Promise.all([runActors(stage), somebody.act({ ...stage, random: random.fork('somebody') })]);
  let watched = true;
  const watching = watch(scene, () => watched, random.fork('watch'), report);
  // `watching` is awaited below; until then its rejection must not count as unhandled.
  watching.catch(() => undefined);
  try {
    await strikeAll({ world, canary, experiment, random: random.fork('faults'), report });
  } catch (error) {
    watched = false;
    throw error;
  } finally {
    running = false;
  }
  await actors;
  // A new version makes the service write the names again that somebody deleted or changed outside.
  const touched = somebody.leave();
  for (const secret of model.secrets) if (touched.has(secret.path)) await write(stage, secret);
  report.seized = somebody.seized();
  say('faults have ended; settling');
  // From here on the sweep soon finds work that no notification announces, such as a retry.
  if (experiment.announcedWithinMs !== undefined) await world.restartWorkers({ SWEEP_INTERVAL: '300' });
  const started = Date.now();
  await settle(scene, report);
  report.settledMs = Date.now() - started;
  // Until then, calls that were given up may still be carried out, and settled associations must stay settled. Only another
  // check of a deletion that was given up may keep an association busy for a moment.
  for (
    const end = Date.now() + 2 * world.leaseMs + 1000;
    Date.now() < end && report.differences.length === 0;
  ) {
    await sleep(250);
    await settle(scene, report);
  }
  watched = false;
  await watching;
  report.idleClaims = await countIdleClaims(world);
  report.lossesTold = (
    await world.query('SELECT FROM database_branch WHERE loss_found_at IS NOT NULL')
  ).length;
  report.wronglyOrdered = findWrongOrder(scene);
  report.touched = [...findTouched(scene), ...findForeignTouched(scene)];
  report.writtenWhileDisabled = findWrittenWhileDisabled(world.stores, world.syncing.pauses, world.leaseMs);
  report.missingPoison = await findMissingPoison(world);
  report.wrongCounts = await findWrongCounts(world);
  return report;
}

// Counts how often rows of work are written while nothing is due. Each claim writes its row.
async function countIdleClaims({ query }: World): Promise<number> {
  const read = async (): Promise<number> => {
    const [row] = await query<{ written: string }>(
      "SELECT n_tup_upd AS written FROM pg_stat_user_tables WHERE relname = 'associations'",
    );
    return Number(row?.written);
  };
  const before = await read();
  await sleep(IDLE_MS);
  return (await read()) - before;
}

async function findMissingPoison({ servers, poison }: World): Promise<string[]> {
  const connection = await connect(servers.amqpUrl(), { timeout: 5000 });
  try {
    return await poison.findMissing(await connection.createConfirmChannel(), STILL_LIMIT_MS);
  } finally {
    await connection.close();
  }
}

async function findWrongCounts({ query }: World): Promise<string[]> {
  const rows = await query<{ destination_id: number; kind: string; change: number }>(WRONG_COUNTS);
  return rows.map(
    ({ destination_id: id, kind, change }) => `the kept count ${kind} of destination ${id} misses ${change}`,
  );
}

/** Creates the destinations of a model, with their stores. */
export async function createDestinations({ model, caller, stores }: Scene): Promise<void> {
  for (const { type, name, round, policy } of model.destinations) {
    const store = stores.get(type);
    if (!store) throw new Error(`there is no store of type ${type}`);
    const { kind, fake, url } = store;
    const { answer } = await caller.send('POST', `/v1/sys/sync/destinations/${type}/${name}`, {
      ...kind.settings(fake, url, name),
      granularity: kind.byKey ? 'secret-key' : 'secret-path',
      conflict_policy: policy,
      secret_name_template: templateOf(type, name, round),
    });
    if (answer.status !== 200) throw new Error(`the destination ${name} was refused: ${answer.text}`);
  }
}

function createReport(world: World, model: Scene['model']): Report {
  return {
    world,
    model,
    anomalies: [],
    falseSynced: [],
    differences: [],
    wronglyOrdered: [],
    touched: [],
    writtenWhileDisabled: [],
    missingPoison: [],
    wrongCounts: [],
    unannounced: [],
    failedWhileRolling: [],
    idleClaims: 0,
    lossesTold: 0,
    rollingMs: 0,
    faults: [],
    settledMs: 0,
    seized: 0,
  };
}

async function watch(scene: Scene, running: () => boolean, random: Random, report: Report): Promise<void> {
  while (running()) {
    report.falseSynced.push(...(await findFalseSynced(scene, random.pick(scene.model.destinations))));
    await sleep(100);
  }
}

// Waits as long as anything changes: on a loaded machine work is slow, and slow work is not lost.
async function settle(scene: Scene, report: Report): Promise<void> {
  const end = Date.now() + SETTLE_LIMIT_MS;
  let last = '';
  for (let changedAt = Date.now(); Date.now() < Math.min(end, changedAt + STILL_LIMIT_MS);) {
    report.differences = await findDifferences(scene);
    if (report.differences.length === 0) return;
    const now = report.differences.join('\n');
    if (now !== last) changedAt = Date.now();
    last = now;
    await sleep(250);
  }
}
