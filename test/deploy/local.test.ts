import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readToken } from '../../deploy/local/command-line.ts';
import { formatEnvironment, parseEnvironment } from '../../deploy/local/environment-file.ts';
import { choosePort, choosePorts } from '../../deploy/local/ports.ts';
import {
  findRunning,
  listRunning,
  startProcess,
  stopProcess,
  tailLog,
} from '../../deploy/local/processes.ts';
import { environmentOf, findServices } from '../../deploy/local/services.ts';
import { issuerOf, loadConfig } from '../../libs/config/config.ts';
import { readState, writeState } from '../../deploy/local/state.ts';
import { localDirectory, projectRoot } from '../../deploy/local/root.ts';
import { eventually } from '../support/eventually.ts';

describe('the local supervisor', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sealift-local-'));
  });

  afterEach(async () => {
    for (const { name } of listRunning(directory)) await stopProcess({ directory, name, limitMs: 0 });
    rmSync(directory, { recursive: true });
  });

  const start = (name: string, program: string) =>
    startProcess({
      directory,
      name,
      command: process.execPath,
      arguments: ['-e', program],
      environment: { PATH: process.env['PATH'] },
    });

  it('all services sign identity tokens for the address of the API, whatever port it got', () => {
    const given = { DATABASE_URL: 'postgres://127.0.0.1/x', AMQP_URL: 'amqp://127.0.0.1' };
    const key = { SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    const environment = environmentOf({ ...given, ...key }, { healthPort: 19_001, apiPort: 19_107 });
    expect(issuerOf(loadConfig(environment)).address).to.equal('http://127.0.0.1:19107');
  });

  it('the supervisor stops a process that ends when asked, and forgets it', async () => {
    await start('meek', 'setInterval(() => undefined, 1000)');
    expect(findRunning({ directory, name: 'meek' })).to.not.equal(undefined);
    expect(await stopProcess({ directory, name: 'meek', limitMs: 5000 })).to.equal(true);
    expect(findRunning({ directory, name: 'meek' })).to.equal(undefined);
    expect(await stopProcess({ directory, name: 'meek', limitMs: 5000 })).to.equal(false);
  });

  it('the supervisor ends a process that ignores the request by force, with its children', async () => {
    const program = `
      process.on('SIGTERM', () => console.log('ignored'));
      const child = require('child_process').spawn('sleep', ['300']);
      console.log('child', child.pid);
      setInterval(() => undefined, 1000);`;
    const record = await start('stubborn', program);
    await eventually(() => expect(tailLog({ directory, name: 'stubborn' })).to.match(/child \d+/));
    const child = Number(/child (\d+)/.exec(tailLog({ directory, name: 'stubborn' }))?.[1]);
    expect(await stopProcess({ directory, name: 'stubborn', limitMs: 200 })).to.equal(true);
    expect(tailLog({ directory, name: 'stubborn' })).to.contain('ignored');
    await eventually(() => expect([isAlive(record.pid), isAlive(child)]).to.deep.equal([false, false]));
  });

  it('the supervisor never ends a process that has got the pid of one long gone', async () => {
    const stranger = spawn('sleep', ['300']);
    await once(stranger, 'spawn');
    const file = join(directory, 'run', 'service.json');
    writeState(file, {
      name: 'service',
      pid: stranger.pid,
      identity: 'an earlier start',
      stopSignal: 'SIGKILL',
    });
    try {
      expect(findRunning({ directory, name: 'service' })).to.equal(undefined);
      expect(await stopProcess({ directory, name: 'service', limitMs: 100 })).to.equal(false);
      expect(isAlive(stranger.pid ?? 0)).to.equal(true);
      expect(existsSync(file)).to.equal(false);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('the supervisor lists processes in the order to stop them in: the newest first', async () => {
    await start('first', 'setInterval(() => undefined, 1000)');
    await start('second', 'setInterval(() => undefined, 1000)');
    await start('short', '');
    await eventually(() =>
      expect(listRunning(directory).map(({ name }) => name)).to.deep.equal(['second', 'first']),
    );
  });

  it('the supervisor fails where the program does not exist', async () => {
    const failure = await startProcess({
      directory,
      name: 'absent',
      command: join(directory, 'absent'),
      arguments: [],
      environment: {},
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'ENOENT');
  });

  it('the supervisor keeps the wanted port where it is free, and takes another where it is not', async () => {
    const holder = createServer();
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const taken = (holder.address() as AddressInfo).port;
    try {
      expect(await choosePort(taken)).to.not.equal(taken);
      const free = await choosePort(undefined);
      expect(await choosePort(free)).to.equal(free);
      const [one, other] = await choosePorts([free, free]);
      expect(one).to.equal(free);
      expect(other).to.not.equal(free);
    } finally {
      holder.close();
    }
  });

  it('the supervisor keeps state to its owner, and reads a broken file as empty', () => {
    const file = join(directory, 'state.json');
    writeState(file, { token: 'x' });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readState(file)).to.deep.equal({ token: 'x' });
    expect(readState(join(directory, 'absent.json'))).to.deep.equal({});
  });
});

describe('the local start', () => {
  it('variables that the start writes are read back as they were', () => {
    const variables = {
      URL: "postgres://a:b@c/d?x=1&y='2' $HOME",
      EMPTY: '',
      PLAIN: 'http://127.0.0.1:8200',
    };
    const text = formatEnvironment(variables);
    expect(parseEnvironment(text)).to.deep.equal(variables);
    const names = Object.keys(variables).join(' ');
    const read = execFileSync('sh', ['-c', `${text}\nprintenv ${names}`], { encoding: 'utf8' });
    expect(read.trimEnd().split('\n')).to.deep.equal(Object.values(variables));
  });

  it('the start finds every program in the tree, and the API last', () => {
    const names = findServices().map(({ name }) => name);
    expect(names).to.include.members(['api', 'cloud1-sm']);
    expect(names.at(-1)).to.equal('api');
    expect(names).to.not.include('cli');
    for (const { folder } of findServices()) {
      expect(existsSync(join(projectRoot, folder, 'main.ts')), folder).to.equal(true);
    }
  });

  it('the start takes the token from what `bootstrap` writes, and none from a later call', () => {
    expect(readToken('{"token":"abc"}\n')).to.equal('abc');
    expect(readToken('{"done":true}\nalready set up\n')).to.equal(undefined);
  });

  it('the shell that reads .local/env runs the version of Node.js that runs the service', () => {
    const brought = join(localDirectory, 'node/24/bin/node');
    const text = formatEnvironment({ SEALIFT_URL: 'http://127.0.0.1:8200' }, brought);
    expect(text).to.include(`export PATH="${dirname(brought)}:$PATH"`);
    expect(parseEnvironment(text)).to.deep.equal({ SEALIFT_URL: 'http://127.0.0.1:8200' });
    expect(formatEnvironment({ NAME: 'value' }, '/usr/bin/node'), "the machine's own").to.not.include('PATH');
  });
});

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false;
  } catch {
    return false;
  }
}
