import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import mocha from 'mocha';
import { localDirectory, projectRoot } from '../../deploy/local/root.ts';

const MANY_FILES = 100;
const SHOWN = 10;

/**
 * Mocha's spec report, plus a last line `N passed, N failed` for log readers, and the slowest files of a long run. The
 * files of failed tests are listed in .local/failed-tests, or in the file of the option `failed-tests`, one a line. The list
 * is empty where a failure belongs to no file: then it is the run that failed. Mocha requires the default export.
 */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options);
    let hasEnded = false;
    const spentMs = new Map<string, number>();
    const failed = new Set<string>();
    runner.on('test end', ({ file, duration }) => {
      const name = sourceOf(file);
      spentMs.set(name, (spentMs.get(name) ?? 0) + (duration ?? 0));
    });
    let isOfFiles = true;
    // `fail` is told of hooks too.
    runner.on('fail', ({ file, parent }, error: Error) => {
      // At once, because a run that is stopped shows no list of failures.
      writeSync(1, `       ${error.message.split('\n', 3).join(' ')}\n`);
      const path = file ?? parent?.file;
      if (path === undefined) isOfFiles = false;
      else failed.add(sourceOf(path));
    });
    runner.once('end', () => {
      hasEnded = true;
    });
    // At the exit of the process, so that nothing follows this line.
    process.on('exit', () => {
      // Mocha's own --fail-zero counts each file separately.
      if (hasEnded && this.stats.tests === 0 && this.stats.failures === 0) {
        writeSync(1, '\nNo test ran. GREP= must be a part of a test title, in the same letters.\n');
        process.exitCode = 1;
      }
      if (spentMs.size > MANY_FILES) writeSync(1, slowest(spentMs));
      const named = hasEnded && isOfFiles ? [...failed] : [];
      writeFileSync(listOf(options), named.map((name) => `${name}\n`).join(''));
      const failures = this.stats.failures + (hasEnded ? 0 : 1);
      writeSync(1, `\n${this.stats.passes} passed, ${failures} failed\n`);
    });
  }
}

function listOf({ reporterOptions = {} }: mocha.MochaOptions): string {
  const { 'failed-tests': given } = reporterOptions as { 'failed-tests'?: string };
  if (given !== undefined) return given;
  mkdirSync(localDirectory, { recursive: true });
  return join(localDirectory, 'failed-tests');
}

function sourceOf(file: string | undefined): string {
  return relative(join(projectRoot, 'dist'), file ?? '').replace(/\.js$/, '.ts');
}

function slowest(spentMs: Map<string, number>): string {
  const lines = [...spentMs]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, SHOWN)
    .map(([name, ms]) => `  ${(ms / 1000).toFixed(0).padStart(4)} s  ${name}`);
  return `\nThe slowest files:\n${lines.join('\n')}\n`;
}
