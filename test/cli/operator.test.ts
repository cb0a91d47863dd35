import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { expect } from 'chai';
import { format, resolveConfig } from 'prettier';
import { choosePort, isPortFree } from '../../deploy/local/ports.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { clientSchema } from '../../libs/config/client.ts';
import { configSchema } from '../../libs/config/schema.ts';
import { NODE_FLAGS } from '../../libs/service/runtime.ts';
import { connectorTypes } from '../../services/cli/serve/processes.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { program, runCommand, startCommand } from './support.ts';

describe("the operator's verbs", () => {
  // Each verb runs in its own process.
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const run = (words: string, environment: Record<string, string> = {}) =>
    runCommand(words.split(' '), { ...sealift.environment, ...environment });

  type Report = {
    ok: boolean;
    findings: { check: string; state: string; detail: string; advice?: string }[];
  };
  const examine = async (environment: Record<string, string> = {}) => {
    const ended = await run('doctor --no-egress --json', environment);
    return { ...ended, report: JSON.parse(ended.stdout) as Report };
  };
  const failuresOf = ({ findings }: Report) =>
    findings.filter(({ state }) => state === 'failed').map(({ check }) => check);

  it('`doctor` finds nothing to repair where all is well but the workers that do not run', async () => {
    const { code, report, stderr } = await examine();
    expect(code, stderr).to.equal(0);
    expect(report.findings.map(({ check, state }) => `${check} ${state}`)).to.include.members([
      'configuration ok',
      'database ok',
      'clock ok',
      'schema ok',
      'master key ok',
      'broker ok',
      'workers warning',
    ]);
    const people = await run('doctor --no-egress');
    expect(people.stdout)
      .to.match(/^STATE\s+CHECK\s+FOUND\n/)
      .and.to.contain('sealift serve settings');
  });

  it('`doctor` names each fault with its repair, and shows no credential', async () => {
    const missing = await examine({ DATABASE_URL: '', LEASE: '5' });
    expect(missing.code).to.equal(78);
    expect(missing.stdout).to.contain('DATABASE_URL is required');
    const key = await examine({ SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') });
    expect([key.code, failuresOf(key.report)]).to.deep.equal([78, ['master key']]);
    const noKey = await examine({ SEALIFT_MASTER_KEY: 'short' });
    expect([noKey.code, failuresOf(noKey.report)]).to.deep.equal([78, ['configuration']]);
    const down = await examine({
      DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/x',
      AMQP_URL: 'amqp://someone:hunter2@127.0.0.1:1',
    });
    expect([down.code, failuresOf(down.report)]).to.deep.equal([5, ['database', 'broker']]);
    expect(down.stdout + down.stderr)
      .to.contain('ECONNREFUSED')
      .and.not.to.contain('hunter2');
    const refused = new URL(sealift.environment['AMQP_URL'] ?? '');
    refused.username = 'nobody';
    refused.password = 'hunter2';
    const broker = await examine({ AMQP_URL: refused.href });
    expect([broker.code, failuresOf(broker.report)]).to.deep.equal([5, ['broker']]);
    expect(broker.stdout).to.contain('403 ACCESS_REFUSED').and.not.to.contain('hunter2');
    for (const { report } of [missing, key, noKey, down, broker]) {
      expect(report.findings.filter(({ state, advice }) => state === 'failed' && !advice)).to.deep.equal([]);
    }
  });

  it('`doctor` tells whether the way out is open', async () => {
    const environment = {
      EGRESS_ALLOW: '10.0.0.0/8, .corp.example',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: sealift.url,
      SEALIFT_AZURE_AUTHORITY_HOST: 'https://127.0.0.1:1',
      CLOUD3_SM_API_URL: sealift.url,
      HOSTING_PROJECT_API_URL: sealift.url,
      REPO_HOST_API_URL: sealift.url,
    };
    const ended = await run('doctor --json', environment);
    const { findings } = JSON.parse(ended.stdout) as Report;
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).to.include({
      'egress rules': 'ok',
      'way to cloud1-sm': 'ok',
      'way to cloud2-kv': 'warning',
    });
  });

  it('`dead-letters` shows them as a table, and puts them back by `--replay`', async () => {
    expect((await run('dead-letters')).stdout).to.equal('there are no dead letters\n');
    const connection = await connect(sealift.environment['AMQP_URL'] ?? '');
    const channel = await connection.createConfirmChannel();
    const { deadLetters } = sealift.context.topology;
    const { queue } = await channel.assertQueue('', { exclusive: true });
    channel.sendToQueue(deadLetters, Buffer.from('unreadable\u001b[31m'), {
      headers: { 'x-sealift-queue': queue, 'x-sealift-reason': 'malformed', 'x-sealift-at': 'now' },
    });
    await channel.waitForConfirms();
    const shown = await run('dead-letters');
    expect(shown.stdout).to.contain('malformed').and.to.contain('1 kept, 0 replayed, 0 discarded');
    expect(shown.stdout).not.to.contain('\u001b');
    expect(JSON.parse((await run('dead-letters --replay --json')).stdout)).to.include({ replayed: 1 });
    expect((await channel.checkQueue(queue)).messageCount).to.equal(1);
    expect((await run('dead-letters --replay --discard')).code).to.equal(2);
    expect((await run('dead-letters --discard')).stdout).to.equal('there are no dead letters\n');
    await connection.close();
  });

  it('`job` tells machines what it did', async () => {
    const done = JSON.parse((await run('job expire-tokens --json')).stdout);
    expect(done).to.deep.include({ job: 'expire-tokens', outcome: 'succeeded' });
    expect((await run('job make-coffee')).code).to.equal(3);
  });

  it('`serve all` runs every kind, starts one again that ends, and stops with all of them', async () => {
    const ports = await eventually(async () => {
      const first = await choosePort(undefined);
      const row = [first, first + 1, first + 2, first + 3];
      const others = await Promise.all(row.slice(1).map(isPortFree));
      expect(others).to.not.include(false);
      return row;
    });
    const port = await choosePort(undefined);
    const child = startCommand(['serve', 'all', '--types', 'repo-host'], {
      ...sealift.environment,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      HEALTH_PORT: String(ports[0]),
    });
    const ended = once(child, 'exit');
    try {
      const allReady = () =>
        eventually(
          async () => {
            const answers = await Promise.all(
              ports.map((one) => fetch(`http://127.0.0.1:${one}/health/ready`)),
            );
            return answers.every(({ ok }) => ok);
          },
          { everyMs: 200 },
        );
      await allReady();
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).ok).to.equal(true);
      const children = await childrenOf(child.pid ?? 0);
      expect(children).to.have.length(4);
      for (const pid of children)
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).to.include.members(NODE_FLAGS);
      process.kill(children[3] ?? 0, 'SIGKILL');
      await eventually(async () => {
        const present = await childrenOf(child.pid ?? 0);
        return present.length === 4 && !present.includes(children[3] ?? 0);
      });
      await allReady();
      const last = await childrenOf(child.pid ?? 0);
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
      expect(last.filter(isRunning)).to.deep.equal([]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('the processes of `serve` all end with it where it is killed', async () => {
    const child = startCommand(['serve', 'all', '--types', 'repo-host'], sealift.environment);
    try {
      const children = await eventually(async () => {
        const present = await childrenOf(child.pid ?? 0);
        if (present.length !== 4) throw new Error('not all are started');
        return present;
      });
      child.kill('SIGKILL');
      await eventually(() => !children.some(isRunning), { everyMs: 200 });
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('`serve` refuses what it does not know, and a configuration that cannot be used', async () => {
    expect((await run('serve connector no-such-type')).code).to.equal(3);
    expect((await run('serve all --types no-such-type')).code).to.equal(3);
    expect((await run('serve nothing')).code).to.equal(2);
    expect((await run('serve all', { DATABASE_URL: '' })).code).to.equal(78);
    expect((await run('serve api', { DATABASE_URL: '' })).code).to.equal(78);
  });

  it('`serve` knows every destination type', () => {
    expect(connectorTypes.toSorted()).to.deep.equal(catalog.map(({ type }) => type).toSorted());
  });
});

describe('the package', () => {
  it('the package offers the command to npx', () => {
    const manifest = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8')) as {
      bin: Record<string, string>;
    };
    expect(manifest.bin).to.deep.equal({ sealift: 'dist/programs/cli/main.js' });
    expect(readFileSync(program, 'utf8').split('\n')[0]).to.equal('#!/usr/bin/env node');
  });

  it('the package tells its exit codes and its version', async () => {
    const help = await runCommand(['--help'], {});
    expect(help.code).to.equal(0);
    for (const code of [0, 1, 2, 3, 4, 5, 78])
      expect(help.stdout).to.match(new RegExp(`^ {2}${code} +\\w`, 'm'));
    expect((await runCommand(['--version'], {})).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('the documentation has a page of every setting that is made from the schema and up to date', async () => {
    const path = `${projectRoot}/docs/configuration.md`;
    const { stdout } = await runCommand(['configuration'], {});
    const options = { ...(await resolveConfig(path)), filepath: path };
    expect(readFileSync(path, 'utf8'), 'run: npm run docs:configuration').to.equal(
      await format(stdout, options),
    );
    for (const name of [...Object.keys(configSchema.properties), ...Object.keys(clientSchema.properties)]) {
      expect(stdout).to.contain(`\`${name}\``);
    }
  });

  it('the documentation has a page of every verb', () => {
    expect(existsSync(`${projectRoot}/docs/cli.md`)).to.equal(true);
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
