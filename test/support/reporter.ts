import { writeSync } from 'node:fs';
import mocha from 'mocha';

/** Mocha's spec report, plus a last line `N passed, N failed` for log readers. Mocha requires the default export. */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options);
    let hasEnded = false;
    runner.once('end', () => {
      hasEnded = true;
    });
    // At the exit of the process, so that nothing follows this line.
    process.on('exit', () => {
      // Mocha's own --fail-zero counts each file separately.
      if (hasEnded && this.stats.tests === 0) {
        writeSync(1, '\nNo test ran. GREP= must be a part of a test title, in the same letters.\n');
        process.exitCode = 1;
      }
      const failures = this.stats.failures + (hasEnded ? 0 : 1);
      writeSync(1, `\n${this.stats.passes} passed, ${failures} failed\n`);
    });
  }
}
