import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { NoTestFound, selectTests } from './select-tests.ts';

// These take minutes, and most of them wait, so they start first. Otherwise one of them would run alone at the end. Other
// long files keep the processors busy, and stand early enough by their names.
const LONG = [
  'faults/short.',
  'service/broker-refusals.',
  'connectors/vercel-env/conformance.',
  'master-key/wrap.',
];
// These keep half a processor busy each, with browsers, load, or many starts of programs and servers. The others mostly
// wait. Evenly among them, the busy ones neither crowd the processors nor leave them idle for the rest of the run.
const BUSY = [
  'console/',
  'faults/',
  'deploy/',
  'queue/broker-cluster.',
  'queue/alarm.',
  'db/failover.',
  'cli/client.',
  'api/clients-',
  'attack/',
];
const isBelow = (path: string) => (folder: string) => path.startsWith(`dist/test/${folder}`);

/** Each place is where a file stands between 0, the start of the run, and 1, its end. */
function placesOf(files: string[]): [file: string, place: number][] {
  return files
    .toSorted((left, right) => basename(left).localeCompare(basename(right)))
    .map((file, index) => [file, (index + 0.5) / files.length]);
}

function spread(files: string[]): string[] {
  const long = LONG.flatMap((folder) => files.filter((file) => isBelow(file)(folder)));
  const others = files.filter((file) => !long.includes(file));
  const isBusy = (file: string): boolean => BUSY.some(isBelow(file));
  const places = [
    ...placesOf(others.filter(isBusy)),
    ...placesOf(others.filter((file) => !isBusy(file))),
  ].toSorted(([, left], [, right]) => left - right);
  return [...long, ...places.map(([file]) => file)];
}

// Prints the files that `make test` passes to mocha: those that match the words in TESTS.
const words = (process.env['TESTS'] ?? '').split(/\s+/).filter(Boolean);
const files = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.js'))
  .map((path) => `dist/test/${path.replaceAll('\\', '/')}`)
  .sort();
try {
  process.stdout.write(`${selectTests(words, spread(files)).join('\n')}\n`);
} catch (error) {
  if (!(error instanceof NoTestFound)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
