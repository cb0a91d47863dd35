import { chooseFaults, shuffleFaults, shuffleOneProcessFaults } from './catalog.ts';
import { createClusterFaults } from './cluster/catalog.ts';
import { startClusterServers } from './cluster/servers.ts';
import { ANNOUNCED_WITHIN_MS, CLUSTER_SETTINGS } from './cluster/settings.ts';
import { createRandom } from './random.ts';
import { runExperiment } from './experiment.ts';
import { killInPushes } from './faults/one-process.ts';
import { storeFigures } from './figures.ts';
import { keepLogs } from './keep-logs.ts';
import { EXIT_CODES, sayError, sayReport, type Outcome } from './outcome.ts';
import { startWorld } from './world.ts';

// make faults: SEED repeats a run. SECONDS limits the time for new faults, after the rolling restart. FAULTS selects faults
// by the beginnings of their names, separated by commas. STORE=1 puts the figures into the README. CLUSTER=1 uses three
// nodes of RabbitMQ and a Postgres primary with a standby. ONE=1 runs the whole service in one process. Exit code 1: a
// promise was broken. 2: the run itself failed.
const seed = Number(process.env['SEED'] || Math.floor(Math.random() * 2 ** 31));
const seconds = Number(process.env['SECONDS'] || 420);
const named = process.env['FAULTS']?.split(',').filter(Boolean);
// What a supervisor makes of a process that has died, and its start.
const ONE_PROCESS_UP_MS = 2000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(`seed ${seed}, faults begin within ${seconds} s`);
const cluster = process.env['CLUSTER'] ? await startClusterServers() : undefined;
const oneProcess = process.env['ONE'] === '1';
const furtherFaults = [
  ...(cluster ? createClusterFaults(cluster) : []),
  ...(oneProcess ? [killInPushes(ONE_PROCESS_UP_MS)] : []),
];
const shuffle = oneProcess ? shuffleOneProcessFaults : shuffleFaults;
const world = await startWorld({
  ...(cluster && { servers: cluster, environment: CLUSTER_SETTINGS }),
  apis: 2,
  workers: { 'cloud1-sm': 2, 'cloud2-kv': 1, 'cloud3-sm': 1, 'hosting-project': 1, 'repo-host': 2 },
  admin: 2,
  oneProcess,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void world.stop().finally(() => process.exit(130)));
const limit = setTimeout(
  () => {
    say(`seed ${seed} did not end in time`);
    void world.stop().finally(() => process.exit(EXIT_CODES.failed));
  },
  (2 * seconds + 900) * 1000,
);
limit.unref();
let outcome: Outcome = 'failed';
try {
  const report = await runExperiment(world, {
    seed,
    faults: named
      ? chooseFaults(named, furtherFaults)
      : shuffle(createRandom(seed).fork('order'), furtherFaults),
    limitMs: seconds * 1000,
    secrets: 10,
    pauseMs: 250,
    ...(cluster && { announcedWithinMs: ANNOUNCED_WITHIN_MS }),
    say,
  });
  if (process.env['STORE'] && !cluster && !oneProcess) await storeFigures(report, { seed, seconds });
  outcome = sayReport(report, say);
} catch (error) {
  outcome = sayError(error, say);
} finally {
  if (outcome !== 'passed') {
    const logs = await keepLogs(world.servers, `failed-${seed}`);
    say(`seed ${seed} ${outcome}; the logs of its processes and servers are in ${logs}`);
  }
  await world.stop();
}
process.exit(EXIT_CODES[outcome]);
