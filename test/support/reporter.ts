import { writeSync } from 'node:fs';
import mocha from 'mocha';

/** Mocha's spec report, ended by the plain line `N passed, N failed` that log readers look for; the default export is what mocha asks for. */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options);
    let hasEnded = false;
    runner.once('end', () => {
      hasEnded = true;
    });
    // At the very end of the process, so that nothing is written behind the line.
    process.on('exit', () => {
      // Mocha's own --fail-zero counts each file by itself.
      if (hasEnded && this.stats.tests === 0) {
        writeSync(1, '\nNo test ran. GREP= must be a part of a test title, in the same letters.\n');
        process.exitCode = 1;
      }
      const failures = this.stats.failures + (hasEnded ? 0 : 1);
      writeSync(1, `\n${this.stats.passes} passed, ${failures} failed\n`);
    });
  }
}
