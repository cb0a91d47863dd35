import { readdirSync } from 'node:fs';
import { NoTestFound, selectTests } from './select-tests.ts';

// Prints the files that `make test` hands to mocha: those that the words in TESTS mean.
const words = (process.env['TESTS'] ?? '').split(/\s+/).filter(Boolean);
const files = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .map((path) => `dist/test/${path.replaceAll('\\', '/')}`)
  .sort();
try {
  process.stdout.write(`${selectTests(words, files).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof NoTestFound)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
