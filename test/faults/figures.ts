import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../deploy/local/root.ts';
import { findingsOf, type Report } from './report.ts';

/** The figures of a run that the README shows. */
export type RunFigures = {
  seed: number;
  seconds: number;
  cores: number;
  /** The load average of the last five minutes: how many processes wanted a core, this run's included. */
  load: number;
  operations: number;
  faults: number;
  ended: number;
  seized: number;
  /** Writes that stores carried out more than a lease after the call had arrived. */
  late: number;
  findings: number;
  medianMs: number;
  mostMs: number;
};

const FILE = join(projectRoot, 'test/faults/figures.json');
const README = join(projectRoot, 'README.md');

/** Stores the figures of a run, and replaces the former ones in the README. */
export async function storeFigures(report: Report, run: { seed: number; seconds: number }): Promise<void> {
  const times = report.faults.map(({ recoveredMs }) => recoveredMs).toSorted((left, right) => left - right);
  const { apis, workers, admin } = report.world.processes;
  const figures: RunFigures = {
    ...run,
    cores: cpus().length,
    load: Math.round(loadavg()[1] ?? 0),
    operations: report.model.history.length + report.world.syncing.history.length,
    faults: report.faults.length,
    ended: [...apis, ...workers, ...admin].reduce((sum, one) => sum + one.ends(), 0),
    seized: report.seized,
    late: [...report.world.stores.values()].reduce(
      (sum, { recorder, leaseMs }) => sum + recorder.carriedOutAfter(leaseMs),
      0,
    ),
    findings: findingsOf(report).length,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    mostMs: times.at(-1) ?? 0,
  };
  const former = describeFigures(await readFigures());
  const readme = await readFile(README, 'utf8');
  await writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`);
  await writeFile(
    README,
    readme.replace(former, () => describeFigures(figures)),
  );
}

/** The stored figures. */
export async function readFigures(): Promise<RunFigures> {
  return JSON.parse(await readFile(FILE, 'utf8')) as RunFigures;
}

/** The README's sentence about the run. */
export function describeFigures(figures: RunFigures): string {
  const { seed, seconds, cores, load, operations, faults, ended, seized, late, findings, medianMs, mostMs } =
    figures;
  return (
    `A run of ${seconds} s on ${cores} cores with a load of ${load} (\`make faults SEED=${seed} SECONDS=${seconds}\`): ` +
    `${count(operations)} operations acknowledged, ${faults} faults, ${ended} processes ended, ` +
    `${seized} names taken by someone else, ${late} writes that a store made more than a lease after they arrived, ` +
    `${findings} findings. After a fault, everything worked again after a median of ${count(medianMs)} ms, at most ${count(mostMs)} ms.`
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}
