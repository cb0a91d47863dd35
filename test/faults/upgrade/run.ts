import { figuresOf, findingsOf, historyOf } from '../report.ts';
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
    void trial.stop().finally(() => process.exit(1));
  },
  (9 * seconds + 1800) * 1000,
);
limit.unref();
let failed = true;
try {
  const report = await trial.run();
  const findings = findingsOf(report);
  failed = findings.length > 0;
  for (const line of figuresOf(report)) say(line);
  for (const line of findings.slice(0, 30)) say(`BROKEN: ${line}`);
  for (const line of historyOf(report, findings)) say(line);
} finally {
  if (failed) say(`seed ${seed} failed; the logs are in ${await trial.keepLogs(`failed-${seed}`)}`);
  await trial.stop();
}
process.exit(failed ? 1 : 0);
