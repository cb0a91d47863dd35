import { readdirSync } from 'node:fs';
import { NoTestFound, selectTests } from './select-tests.ts';

// The slowest files come first, and those that mostly wait before those that compute. Otherwise, at the end, one of them
// would run alone in a single worker.
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
  'console/',
  'queue/',
  'e2e/',
  'deploy/',
].map((path) => `dist/test/${path}`);
const rank = (path: string): number => {
  const place = LONG.findIndex((long) => path.startsWith(long));
  return place === -1 ? LONG.length : place;
};

// Prints the files that `make test` passes to mocha: those that match the words in TESTS.
const words = (process.env['TESTS'] ?? '').split(/\s+/).filter(Boolean);
const files = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .map((path) => `dist/test/${path.replaceAll('\\', '/')}`)
  .sort()
  .sort((left, right) => rank(left) - rank(right));
try {
  process.stdout.write(`${selectTests(words, files).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof NoTestFound)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
