import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { NoTestFound, selectTests } from './select-tests.ts';

// The slowest files come first. Otherwise, at the end, one of them would run alone in a single worker.
const LONG = [
  'faults/short.',
  'master-key/wrap.',
  'queue/broker-cluster.',
  'connectors/vercel-env/conformance.',
  'service/broker-refusals.',
  'console/stale.',
  'deploy/dev.',
  'console/session.',
  'faults/cluster/',
  'console/journeys.',
  'cli/client.',
  'faults/',
];
// Those of the console compute, most of the others wait. In the order of their names alone, they share the processors well.
const MIXED = ['console/', 'queue/', 'e2e/', 'deploy/', 'connectors/', 'service/', 'master-key/'];
const isBelow = (path: string) => (folder: string) => path.startsWith(`dist/test/${folder}`);
const rank = (path: string): number => {
  const place = LONG.findIndex(isBelow(path));
  if (place !== -1) return place;
  return LONG.length + (MIXED.some(isBelow(path)) ? 0 : 1);
};

// Prints the files that `make test` passes to mocha: those that match the words in TESTS.
const words = (process.env['TESTS'] ?? '').split(/\s+/).filter(Boolean);
const files = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .map((path) => `dist/test/${path.replaceAll('\\', '/')}`)
  .sort()
  .sort((left, right) => rank(left) - rank(right) || basename(left).localeCompare(basename(right)));
try {
  process.stdout.write(`${selectTests(words, files).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof NoTestFound)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
