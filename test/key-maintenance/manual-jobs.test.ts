import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runByHand } from '../../services/key-maintenance/by-hand.ts';
import { jobs } from '../../services/key-maintenance/schedule.ts';
import { createToken } from '../../libs/store/access/tokens.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow } from './support.ts';

describe('jobs run by hand', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const sealiftCommand = (...words: string[]) => runProgram([], words);
  const runProgram = async (flags: string[], words: string[], environment = sealift.environment) => {
    const program = fileURLToPath(new URL('../../programs/cli/main.js', import.meta.url));
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const result: { stdout: string; stderr: string; code?: number } = await promisify(execFile)(
      process.execPath,
      [...flags, program, ...words],
      { env, timeout: 20_000 },
    ).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    return { ...result, code: result.code ?? 0 };
  };

  it('the command line runs a job and prints its summary', async () => {
    const { stdout, code } = await sealiftCommand('job', 'expire-tokens');
    expect(stdout).to.equal('expire-tokens: succeeded tokens=0 sign_ons=0 log_ins=0\n');
    expect(code).to.equal(0);
  });

  it('a machine whose clock is two days ahead removes nothing before its time', async () => {
    const { db, installation } = sealift.context;
    await createToken(db, installation.hashKey, {
      namespaceId: 'root',
      parentId: null,
      displayName: 'for-a-day',
      policies: ['default'],
      renewable: false,
      ttlSeconds: 86_400,
      explicitMaxTtlSeconds: 0,
    });
    await db('saml_assertions').insert({ hash: Buffer.from('used'), expires_at: daysFromNow(1) });
    const clock = new URL('../support/clock-ahead.js', import.meta.url);
    const { stdout } = await runProgram(['--import', clock.href], ['job', 'expire-tokens']);
    expect(stdout).to.equal('expire-tokens: succeeded tokens=0 sign_ons=0 log_ins=0\n');
    expect(await db('tokens').where({ display_name: 'for-a-day' })).to.have.length(1);
  });

  it('the command line shows the jobs, and refuses one that it does not know', async () => {
    const { stdout } = await sealiftCommand('job');
    for (const { name } of jobs) expect(stdout).to.include(name);
    const unknown = await sealiftCommand('job', 'make-coffee');
    expect(unknown.code).to.equal(3);
    expect(unknown.stderr).to.include('rotate-signing-key');
  });

  it('a job that has another name now runs by its former name too', async () => {
    const { stdout, code } = await sealiftCommand('job', 'distrust-ledger');
    expect(stdout).to.equal('invalidate-ledger: succeeded associations=0 entries=0 counts=0\n');
    expect(code).to.equal(0);
  });

  it('commands end with code 5 and a reason where Postgres is away', async () => {
    const { environment } = sealift;
    const away = { ...environment, DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/x' };
    const commands = [['job', 'expire-tokens'], ['dead-letters']];
    const ended = await Promise.all(commands.map((words) => runProgram([], words, away)));
    for (const { code, stderr } of ended) {
      expect(code, stderr).to.equal(5);
      expect(stderr).to.contain('Postgres does not answer (ECONNREFUSED)').and.not.contain('hunter2');
    }
  });

  for (const job of jobs) {
    it(`the job ${job.name} reports in one line`, async () => {
      const lines: string[] = [];
      const write = (line: string) => lines.push(line);
      const succeeded = await runByHand(job, {
        config: sealift.config,
        replay: false,
        write,
      });
      expect(succeeded).to.equal(true);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(new RegExp(`^${job.name}: succeeded( \\w+=\\S+)+$`));
    });
  }
});
