import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runByHand } from '../../services/key-maintenance/by-hand.ts';
import { jobs } from '../../services/key-maintenance/schedule.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('jobs run by hand', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const sealiftCommand = async (...words: string[]) => {
    const program = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
    const env = { PATH: process.env['PATH'] ?? '', ...sealift.environment };
    const result: { stdout: string; stderr: string; code?: number } = await promisify(execFile)(
      process.execPath,
      [program, ...words],
      { env, timeout: 20_000 },
    ).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    return { ...result, code: result.code ?? 0 };
  };

  it('the command line runs a job and prints its summary', async () => {
    const { stdout, code } = await sealiftCommand('job', 'expire-tokens');
    expect(stdout).to.equal('expire-tokens: succeeded tokens=0 sign_ons=0\n');
    expect(code).to.equal(0);
  });

  it('the command line shows the jobs, and refuses one that it does not know', async () => {
    const { stdout } = await sealiftCommand('job');
    for (const { name } of jobs) expect(stdout).to.include(name);
    const unknown = await sealiftCommand('job', 'make-coffee');
    expect(unknown.code).to.equal(3);
    expect(unknown.stderr).to.include('rotate-signing-key');
  });

  for (const job of jobs) {
    it(`${job.name} reports in one line`, async () => {
      const lines: string[] = [];
      const write = (line: string) => lines.push(line);
      const succeeded = await runByHand(job, {
        config: sealift.config,
        now: new Date(),
        replay: false,
        write,
      });
      expect(succeeded).to.equal(true);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(new RegExp(`^${job.name}: succeeded( \\w+=\\S+)+$`));
    });
  }
});
