import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../deploy/local/root.ts';
import { describeMachine } from './machine.ts';
import { drawPlot } from './plot.ts';
import type { Row } from './row.ts';

/** The rows of a measure's last whole run, and where they come from. */
export type Published = {
  name: string;
  /** What ran: a commit, with `-dirty` if there were changes beside it. */
  commit: string;
  /** ISO 8601. */
  date: string;
  /** Processes that wanted a processor in the minute before (`uptime`); null where that was not noted. */
  load: number | null;
  machine: string;
  rows: Row[];
};

const FILE = join(projectRoot, 'bench/results.json');

/** What the run of a measure says of itself; ask before it begins. */
export function describeRun(): Omit<Published, 'name' | 'rows'> {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return {
    commit: commit.trim(),
    date: new Date().toISOString(),
    load: Number(loadavg()[0]?.toFixed(1)),
    machine: describeMachine(),
  };
}

/** Reads the published rows, by measure. */
export function readPublished(): Published[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Published[];
}

/** Replaces the published rows of these measures, and draws the plot anew. `order`: the names of all measures. */
export function publish(fresh: Published[], order: string[]): void {
  const known = new Map([...readPublished(), ...fresh].map((one) => [one.name, one]));
  const all = order.flatMap((name) => known.get(name) ?? []);
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(projectRoot, 'bench/results.svg'), drawPlot(all.flatMap(({ rows }) => rows)));
}
