import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../deploy/local/root.ts';
import { startInfrastructure } from '../support/infrastructure.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

// make mutants: removes one guard after the other from a copy of the source and runs the tests that must then fail, and that
// pass on the unchanged copy. ONLY selects mutations by parts of their names. Exits with 1 if a mutation survives.
const run = promisify(execFile);
const TEST_LIMIT_MS = 900_000;
const only = process.env['ONLY'] ?? '';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const chosen = mutations.filter(({ name }) => name.includes(only));
const copy = await copyProject();
// One pair of servers for some hundred short runs.
const servers = await startInfrastructure();
// Whether a test fails without any mutation: such a test proves nothing.
const unfit = new Map<string, boolean>();
let survived = 0;
try {
  for (const mutation of chosen) {
    const isCaught = await tryOut(mutation);
    if (!isCaught) survived += 1;
    say(`${isCaught ? 'caught  ' : 'SURVIVED'} ${mutation.name}`);
  }
} finally {
  await servers.stop();
  await rm(copy, { recursive: true, force: true });
}
say(`${chosen.length - survived} caught, ${survived} survived`);
process.exitCode = survived > 0 ? 1 : 0;

async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sealift-mutants-'));
  const skipped = ['node_modules', 'dist', '.git', '.local', 'coverage'].map((name) =>
    join(projectRoot, name),
  );
  await cp(projectRoot, folder, { recursive: true, filter: (source) => !skipped.includes(source) });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function tryOut({ file, find, replace, tests }: Mutation): Promise<boolean> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} no longer holds: ${find}`);
  const mutated = source.replace(find, () => replace);
  try {
    for (const test of tests) {
      await compile(path, mutated);
      if (!(await failsTwice(test))) continue;
      if (!unfit.has(test)) {
        await compile(path, source);
        unfit.set(test, await failsTwice(test));
      }
      if (!unfit.get(test)) return true;
    }
    return false;
  } finally {
    await writeFile(path, source);
  }
}

// Checked, because only the compiler would catch a mutation that does not compile.
async function compile(path: string, source: string): Promise<void> {
  await writeFile(path, source);
  await run('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { cwd: copy });
}

// Runs a failed test twice: on a loaded machine it can fail once because it is slow.
async function failsTwice(test: string): Promise<boolean> {
  return !(await passes(test)) && !(await passes(test));
}

async function passes(test: string): Promise<boolean> {
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
    return true;
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    say(`  ${test}: ${firstFailure(stdout ?? '')}`);
    // The time limit or the lack of memory ended the test, so it caught nothing.
    return typeof code !== 'number';
  }
}

function firstFailure(output: string): string {
  const [, failure = ''] = output.split(/^ {2}1\) /m);
  return failure.replaceAll(/\s+/g, ' ').slice(0, 400);
}
