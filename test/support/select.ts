import { readdirSync } from 'node:fs';
import { NoTestFound, selectTests } from './select-tests.ts';

// The slowest files come first. Otherwise, at the end, one of them would run alone in a single worker.
const LONG = ['faults', 'e2e', 'queue', 'console', 'deploy'].map((folder) => `dist/test/${folder}/`);
const isLong = (path: string): boolean => LONG.some((folder) => path.startsWith(folder));

// Prints the files that `make test` passes to mocha: those that match the words in TESTS.
const words = (process.env['TESTS'] ?? '').split(/\s+/).filter(Boolean);
const files = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .map((path) => `dist/test/${path.replaceAll('\\', '/')}`)
  .sort()
  .sort((left, right) => Number(isLong(right)) - Number(isLong(left)));
try {
  process.stdout.write(`${selectTests(words, files).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof NoTestFound)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
