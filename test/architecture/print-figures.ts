import { findCycles, measureFolders } from './figures.ts';
import { readSources } from './sources.ts';

// make check: the figures that say how simple the product's code is. test/architecture.test.ts holds their limits.
const product = readSources().filter(({ path }) => /^(?:services|libs)\//.test(path));
const sizes = product.map(({ lines }) => lines).toSorted((left, right) => left - right);
const functions = product
  .flatMap(({ path, functions: own }) => own.map((one) => ({ ...one, path })))
  .toSorted((left, right) => right.lines - left.lines);
const folders = measureFolders(product);
const largest = folders.toSorted((left, right) => right.files - left.files)[0];
const deepest = folders.toSorted((left, right) => right.floors - left.floors)[0];
const engine = product.filter(({ path }) => path.startsWith('libs/sync/'));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`files: ${sizes.length}, median ${sizes[Math.floor(sizes.length / 2)]} lines, longest ${sizes.at(-1)}`);
say(`engine (libs/sync): ${engine.length} files, ${engine.reduce((sum, { lines }) => sum + lines, 0)} lines`);
say(`largest folder: ${largest?.folder}, ${largest?.files} files`);
say(`most floors: ${deepest?.folder}, ${deepest?.floors}`);
say(`longest function: ${functions[0]?.lines} lines in ${functions[0]?.path}`);
say(`functions over 50 lines: ${functions.filter(({ lines }) => lines > 50).length}`);
say(`circles of imports: ${findCycles(product).length}`);
