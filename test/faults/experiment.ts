import { connect } from 'amqplib';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCanary, type Canary } from './canary.ts';
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
import { longPause } from './faults/operator.ts';
import { rollingRestart } from './faults/processes.ts';
import type { Report } from './report.ts';
import { createSomebody } from './somebody.ts';
import type { Stage } from './stage.ts';
import { templateOf } from './values.ts';
import type { World } from './world.ts';

/** How a run is to go; the same seed makes the same choices. */
export type Experiment = {
  seed: number;
  /** Struck one after the other, then mixed for as long as there is time. */
  faults: Fault[];
  /** When no new fault is begun any more, in milliseconds from the end of the rolling restart. */
  limitMs: number;
  secrets: number;
  pauseMs: number;
  say: (line: string) => void;
};

const SLOWEST_ROLLING_MS = 120_000;
const CANARY_LIMIT_MS = 300_000;
const SETTLE_LIMIT_MS = 600_000;
// What differs, and has not changed for so long, is lost.
const STILL_LIMIT_MS = 90_000;

/** Drives a world through an experiment and compares everything with the model. */
export async function runExperiment(world: World, experiment: Experiment): Promise<Report> {
  const { seed, say } = experiment;
  const random = createRandom(seed);
  const model = createModel(experiment.secrets, destinationsFor(experiment));
  const scene: Scene = { model, stores: world.stores, caller: world.caller };
  await createDestinations(scene);
  const canary = await createCanary(world.caller, world.stores);
  await canary.measure(CANARY_LIMIT_MS);

  const report = createReport(world, model);
  let running = true;
  const somebody = createSomebody(world.stores);
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
  // Whoever awaits it comes later.
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
  // What somebody deleted or changed outside is ours again with the next version.
  const touched = somebody.leave();
  for (const secret of model.secrets) if (touched.has(secret.path)) await write(stage, secret);
  report.seized = somebody.seized();
  say('faults have ended; settling');
  const started = Date.now();
  await settle(scene, report);
  report.settledMs = Date.now() - started;
  // What was given up may be carried out until then, and what is settled stays so: only an association that looks once more at a
  // deletion that was given up is under way for a moment.
  for (
    const end = Date.now() + 2 * world.leaseMs + 1000;
    Date.now() < end && report.differences.length === 0;
  ) {
    await sleep(250);
    await settle(scene, report);
  }
  watched = false;
  await watching;
  report.wronglyOrdered = findWrongOrder(scene);
  report.touched = [...findTouched(scene), ...findForeignTouched(scene)];
  report.writtenWhileDisabled = findWrittenWhileDisabled(world.stores, world.syncing.pauses, world.leaseMs);
  report.missingPoison = await findMissingPoison(world);
  return report;
}

async function findMissingPoison({ servers, poison }: World): Promise<string[]> {
  const connection = await connect(servers.amqpUrl, { timeout: 5000 });
  try {
    return await poison.findMissing(await connection.createConfirmChannel(), STILL_LIMIT_MS);
  } finally {
    await connection.close();
  }
}

async function createDestinations({ model, caller, stores }: Scene): Promise<void> {
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
    failedWhileRolling: [],
    rollingMs: 0,
    faults: [],
    settledMs: 0,
    seized: 0,
  };
}

type Strikes = { world: World; canary: Canary; experiment: Experiment; random: Random; report: Report };

async function strikeAll({ world, canary, experiment, random, report }: Strikes): Promise<void> {
  const { faults, limitMs, say } = experiment;
  let end = Date.now() + limitMs;
  const strike = async (name: string, chosen: Fault[]): Promise<void> => {
    say(name);
    const at = Date.now();
    const { failed } = world.caller.counts;
    const failedBefore = failed.length;
    await Promise.all(chosen.map((fault) => fault.strike(world, random)));
    const recoveredMs = await canary.measure(CANARY_LIMIT_MS);
    if (chosen.length === 1 && chosen[0] === rollingRestart) {
      report.rollingMs = Date.now() - at - recoveredMs;
      // Where a process takes so long to start, others wait too long for processor time to answer in theirs.
      if (report.rollingMs < SLOWEST_ROLLING_MS)
        report.failedWhileRolling.push(...failed.slice(failedBefore));
    }
    report.faults.push({ name, at, recoveredMs });
    say(`  works again after ${recoveredMs} ms`);
  };
  for (const fault of faults) {
    if (Date.now() > end) return;
    await strike(fault.name, [fault]);
    if (fault === rollingRestart) end = Date.now() + limitMs;
  }
  while (Date.now() < end && faults.length > 1) {
    const picked = [random.pick(faults), random.pick(faults), random.pick(faults)];
    // Often among them: whatever else breaks, nothing may be written meanwhile.
    if (random.integer(4) === 0 && faults.includes(longPause)) picked.push(longPause);
    const chosen = [...new Set(picked)].filter(isMixable);
    // Two that restart the same server would stand in each other's way.
    const kinds = new Set<string>();
    const mixed = chosen.filter(({ name }) => {
      const kind = /postgres|database|disk|table/i.test(name)
        ? 'database'
        : /broker|queues/i.test(name)
          ? 'broker'
          : name;
      return kinds.size < kinds.add(kind).size;
    });
    if (mixed.length > 0) await strike(mixed.map(({ name }) => name).join(' + '), mixed);
    await sleep(random.integer(500));
  }
}

function isMixable(fault: Fault): boolean {
  return fault !== rollingRestart;
}

async function watch(scene: Scene, running: () => boolean, random: Random, report: Report): Promise<void> {
  while (running()) {
    report.falseSynced.push(...(await findFalseSynced(scene, random.pick(scene.model.destinations))));
    await sleep(100);
  }
}

// As long as anything changes: a loaded machine is slow, and what is slow is not lost.
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
