import { execFile } from 'node:child_process';
import { chmod, cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../deploy/local/root.ts';
import { startInfrastructure } from '../support/infrastructure.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

// make mutants: removes one guard after the other from copies of the source and runs the tests that must then fail, and
// that pass on the unchanged copy. ONLY selects mutations by parts of their names. Exits with 1 if a mutation survives.
const run = promisify(execFile);
const TEST_LIMIT_MS = 900_000;
const only = process.env['ONLY'] ?? '';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const chosen = mutations.filter(({ name }) => name.includes(only));
// One pair of servers for some hundred short runs.
const servers = await startInfrastructure();
// Whether a test fails without any mutation: such a test proves nothing.
const unfit = new Map<string, boolean>();
const waiting = chosen.values();
let survived = 0;
try {
  await Promise.all(Array.from({ length: availableParallelism() }, tryOutWaiting));
} finally {
  await servers.stop();
}
say(`${chosen.length - survived} caught, ${survived} survived`);
process.exitCode = survived > 0 ? 1 : 0;

// In a copy of its own. Several run side by side and take one mutation after the other.
async function tryOutWaiting(): Promise<void> {
  const copy = await copyProject();
  try {
    for (const mutation of waiting) {
      const isCaught = await tryOut(copy, mutation);
      if (!isCaught) survived += 1;
      say(`${isCaught ? 'caught  ' : 'SURVIVED'} ${mutation.name}`);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sealift-mutants-'));
  // Some tests start servers of their own, as another user, whose data is below it.
  await chmod(folder, 0o755);
  const skipped = ['node_modules', 'dist', '.git', '.local', 'coverage'].map((name) =>
    join(projectRoot, name),
  );
  await cp(projectRoot, folder, { recursive: true, filter: (source) => !skipped.includes(source) });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  await standInForBundles(folder);
  return folder;
}

// Programs that load what the compiler made: to bundle each mutation would take longer than all the rest.
async function standInForBundles(copy: string): Promise<void> {
  for await (const source of glob('services/{*/main,connectors/*/connector}.ts', { cwd: copy })) {
    const name = basename(dirname(source));
    const isMain = basename(source) === 'main.ts';
    const bundle = join(copy, 'dist/programs', isMain ? `${name}/main.js` : `connectors/${name}.js`);
    await mkdir(dirname(bundle), { recursive: true });
    await writeFile(bundle, `export * from '../../${source.replace(/ts$/, 'js')}';\n`);
  }
}

async function tryOut(copy: string, { file, find, replace, tests }: Mutation): Promise<boolean> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} no longer holds: ${find}`);
  const mutated = source.replace(find, () => replace);
  try {
    for (const test of tests) {
      if (!(await compiles(copy, path, mutated))) return false;
      if (!(await fails(copy, test))) continue;
      if (!unfit.has(test)) {
        await compile(copy, path, source);
        unfit.set(test, await fails(copy, test));
      }
      if (!unfit.get(test)) return true;
      say(`  ${test}: fails without the mutation too, so it proves nothing`);
    }
    return false;
  } finally {
    await writeFile(path, source);
  }
}

// A mutation that only the compiler catches proves nothing about the tests.
async function compiles(copy: string, path: string, source: string): Promise<boolean> {
  try {
    await compile(copy, path, source);
    return true;
  } catch (error) {
    say(`  does not compile: ${String((error as { stdout?: unknown }).stdout)}`);
    return false;
  }
}

async function compile(copy: string, path: string, source: string): Promise<void> {
  await writeFile(path, source);
  await run('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { cwd: copy });
}

// A test that waited in vain runs a second time: on a loaded machine it can fail once because it is slow.
async function fails(copy: string, test: string): Promise<boolean> {
  const first = await tryTest(copy, test);
  if (first !== 'waited') return first === 'failed';
  return (await tryTest(copy, test)) !== 'passed';
}

async function tryTest(copy: string, test: string): Promise<'passed' | 'failed' | 'waited'> {
  try {
    await run('node_modules/.bin/mocha', ['--bail', `dist/test/${test}`], {
      cwd: copy,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(copy, '.local/compile-cache'),
        TEST_DATABASE_URL: servers.databaseUrl,
        TEST_AMQP_URL: servers.amqpUrl,
      },
      timeout: TEST_LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return 'passed';
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    const failure = firstFailure(stdout ?? '');
    say(`  ${test}: ${failure.slice(0, 400)}`);
    // The time limit or the lack of memory ended the test, so it caught nothing.
    if (typeof code !== 'number') return 'passed';
    return failure.includes('AssertionError') ? 'failed' : 'waited';
  }
}

function firstFailure(output: string): string {
  const [, failure = ''] = output.split(/^ {2}1\) /m);
  return failure.replaceAll(/\s+/g, ' ');
}
