import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parseEnvironment } from '../../deploy/local/environment-file.ts';
import { listRunning } from '../../deploy/local/processes.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { findServices } from '../../deploy/local/services.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';
import { findProcessesOf } from './find-processes.ts';

const execute = promisify(execFile);
const prefix = 'make-dev';
// Of the tests only the stand-ins: the others would be compiled with each change.
const copied = [
  'services',
  'libs',
  'deploy',
  'test/sandbox',
  'dist/services',
  'dist/libs',
  'dist/deploy',
  'dist/test/sandbox',
  'dist/programs',
  'dist/console',
  'dist/.tsbuildinfo',
  'tsconfig.json',
  'package.json',
  'Makefile',
  '.node-version',
];
// Each edit bundles all programs that have the file, so these are in few: two, and one.
const ENDPOINT = 'services/api/endpoints/system/ping.ts';
const OF_ONE_PROGRAM = 'services/key-maintenance/main.ts';
// A stack trace then has other lines, so what runs is no longer what the source says.
const moveLines = (text: string): string => `// Changed.\n${text}`;
// A build and eight starts, on a machine that other tests use too.
const limit = { limitMs: 200_000, everyMs: 200 };

// The claims run in order on one `make dev`, in a copy of the checkout. Each continues from the one before.
describe('make dev', () => {
  let root: string;
  let database: TestDatabase;
  let dev: ChildProcess;
  let output = '';

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'sealift-dev-'));
    for (const name of copied)
      cpSync(join(projectRoot, name), join(root, name), {
        recursive: true,
        preserveTimestamps: true,
        filter: (path) => !/\.test\.[jt]s/.test(path),
      });
    // The lock file must be older than the installed packages, which the checkout shares: the copy must not install its own.
    cpSync(join(projectRoot, 'package-lock.json'), join(root, 'package-lock.json'));
    utimesSync(join(root, 'package-lock.json'), 0, 0);
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
    database = await createDatabase();
    dev = spawn('make', ['dev'], {
      cwd: root,
      // A group of its own, so that a signal reaches all of it at once, as from a terminal.
      detached: true,
      env: {
        ...process.env,
        MAKEFLAGS: '',
        DATABASE_URL: database.url,
        AMQP_URL: infrastructure().amqpUrl,
        AMQP_PREFIX: prefix,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [dev.stdout, dev.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await waitForOutput('End with Ctrl-C');
  });

  after(async () => {
    await interrupt();
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]), { limitMs: 30_000 });
    await deleteQueues(infrastructure().amqpUrl, prefix);
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  });

  const waitForOutput = (text: string): Promise<unknown> =>
    eventually(() => expect(output).to.contain(text), limit);

  const interrupt = async (): Promise<void> => {
    if (dev.exitCode !== null || dev.signalCode !== null || dev.pid === undefined) return;
    const closed = once(dev, 'close');
    process.kill(-dev.pid, 'SIGINT');
    await closed;
  };

  const readPids = (): Record<string, number> =>
    Object.fromEntries(
      listRunning(join(root, '.local'))
        .filter(({ name }) => name !== 'dev')
        .map(({ name, pid }) => [name, pid]),
    );

  /** Edits a file of the copy. Returns the output of `make dev` about it, and the processes that were replaced. */
  const edit = async (path: string, change: (text: string) => string, until: RegExp) => {
    const pids = readPids();
    output = '';
    writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));
    await eventually(() => expect(until.test(output), output).to.equal(true), limit);
    const now = readPids();
    return Object.keys(now)
      .filter((name) => now[name] !== pids[name])
      .sort();
  };

  it('`make dev` starts every service and the stand-ins, and prints the address and the token', async () => {
    const written = parseEnvironment(readFileSync(join(root, '.local/env'), 'utf8'));
    expect(output).to.contain(`Sealift is ready at ${written['SEALIFT_URL']}`);
    expect(output).to.contain(`Root token: ${written['SEALIFT_TOKEN']}`);
    expect(Object.keys(readPids())).to.have.members(['sandbox', ...findServices().map(({ name }) => name)]);
    const reply = await fetch(`${written['SEALIFT_URL']}/v1/auth/token/lookup-self`, {
      headers: { authorization: `Bearer ${written['SEALIFT_TOKEN']}` },
    });
    expect(reply.status).to.equal(200);
  });

  it('`sealift doctor` finds nothing to fix with the settings in .local/env', async () => {
    const written = parseEnvironment(readFileSync(join(root, '.local/env'), 'utf8'));
    const environment = { ...process.env, ...written, AMQP_PREFIX: prefix };
    const program = join(root, 'dist/programs/cli/main.js');
    const { stdout } = await execute(process.execPath, [program, 'doctor'], { cwd: root, env: environment });
    expect(stdout).to.match(/way to cloud1-sm +127/);
    // A shell keeps the path when the stand-ins start again with another authority.
    expect(written['NODE_EXTRA_CA_CERTS']).to.equal(join(root, '.local/stand-in-authority.pem'));
  });

  it('`make dev` restarts one worker alone when a file of its connector changes', async () => {
    const path = 'services/connectors/github-secrets/client.ts';
    expect(await edit(path, moveLines, /Restarted: repo-host\n/)).to.deep.equal(['repo-host']);
  });

  it('`make dev` restarts the API with the new code of an endpoint', async () => {
    const rename = (text: string): string => text.replace("'Sealift'", "'Changed'");
    expect(await edit(ENDPOINT, rename, /Restarted: api\n/)).to.deep.equal(['api']);
    const { SEALIFT_URL } = parseEnvironment(readFileSync(join(root, '.local/env'), 'utf8'));
    const reply = await fetch(`${SEALIFT_URL}/api/v2/ping`);
    expect(reply.headers.get('TFP-AppName')).to.equal('Changed');
  });

  it('`make dev` restarts every service when a library changes that all of them import', async () => {
    const changed = await edit('libs/log/log.ts', moveLines, /Restarted: .*\n/);
    expect(changed).to.include.members(findServices().map(({ name }) => name));
  });

  it('`make dev` leaves all processes alone while a source does not compile', async () => {
    const fault = (text: string): string => `${text}\nexport const wrong: number = 'text';\n`;
    expect(await edit(OF_ONE_PROGRAM, fault, /TS2322[^]*The build failed/)).to.deep.equal([]);
  });

  it('`make dev` leaves all processes alone when a source is again what they were started from', async () => {
    const fix = (text: string): string => text.replace(/\nexport const wrong.*\n$/, '');
    expect(await edit(OF_ONE_PROGRAM, fix, /No running process loads it/)).to.deep.equal([]);
  });

  it('`make dev` leaves nothing running after Ctrl-C', async () => {
    output = '';
    await interrupt();
    expect(output).to.match(/Stopped: api, .*sandbox/);
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]));
  });
});
