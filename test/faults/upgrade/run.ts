import { EXIT_CODES, sayError, sayReport, type Outcome } from '../outcome.ts';
import { buildVersion, findFormerRevision } from './versions.ts';
import { startTrial } from './trial.ts';

// make faults UPGRADE=1: FROM names the revision to upgrade from, SEED repeats a load, SECONDS is how long both versions of
// each part run at the same time.
const seed = Number(process.env['SEED'] || Math.floor(Math.random() * 2 ** 31));
const seconds = Number(process.env['SECONDS'] || 10);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const former = await buildVersion(await findFormerRevision(process.env['FROM']));
say(`seed ${seed}, from ${former.name}`);
const trial = await startTrial({
  former,
  sizes: {
    apis: 2,
    workers: { 'cloud1-sm': 1, 'cloud2-kv': 1, 'cloud3-sm': 1, 'hosting-project': 1, 'repo-host': 1 },
    admin: 1,
  },
  seed,
  // Two versions share the machine. With more secrets, leases would end because there is too little CPU.
  secrets: 6,
  overlapMs: seconds * 1000,
  say,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void trial.stop().finally(() => process.exit(130)));
const limit = setTimeout(
  () => {
    say(`seed ${seed} did not end in time`);
    void trial.stop().finally(() => process.exit(EXIT_CODES.failed));
  },
  (9 * seconds + 1800) * 1000,
);
limit.unref();
let outcome: Outcome = 'failed';
try {
  outcome = sayReport(await trial.run(), say);
} catch (error) {
  outcome = sayError(error, say);
} finally {
  if (outcome !== 'passed')
    say(`seed ${seed} ${outcome}; the logs are in ${await trial.keepLogs(`failed-${seed}`)}`);
  await trial.stop();
}
process.exit(EXIT_CODES[outcome]);
