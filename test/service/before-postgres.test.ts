import { expect } from 'chai';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PROGRAMS = [
  'programs/api/main.js',
  'programs/settings/main.js',
  'programs/key-maintenance/main.js',
  'programs/connectors/main.js repo-host',
];
const LIMIT = { everyMs: 100 };

describe('a process that starts before Postgres takes it', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift?.stop());

  const expectWaiting = async (program: string, change: (url: URL) => void, said: string) => {
    const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    change(url);
    const environment = { ...sealift.environment, DATABASE_URL: url.href, LOG_LEVEL: 'info' };
    const started = await spawnProcess(program, environment);
    try {
      await eventually(async () => {
        const ready = await fetch(`${started.healthUrl}/health/ready`);
        expect(ready.status).to.equal(503);
        return expect(await ready.text()).to.contain(said);
      }, LIMIT);
      expect((await fetch(`${started.healthUrl}/health/live`)).status).to.equal(200);
      const metrics = await fetch(`${started.healthUrl}/metrics`);
      expect(await metrics.text()).to.contain('process_cpu_seconds_total');
      await started.kill('SIGTERM');
      expect(await started.ended, started.output()).to.equal(0);
      expect(started.output()).not.to.contain('hidden-pass-word');
      return started.output();
    } finally {
      await started.kill();
    }
  };

  for (const program of PROGRAMS)
    it(`${program} is live, and its readiness tells that Postgres is away`, async () => {
      await expectWaiting(program, (url) => (url.host = '127.0.0.1:1'), 'Postgres does not answer');
    });

  it('the readiness of a process with a wrong password tells that', async () => {
    const change = (url: URL): void =>
      void Object.assign(url, { username: 'x', password: 'hidden-pass-word' });
    await expectWaiting('programs/settings/main.js', change, '(28P01)');
  });

  it('the warnings of libraries are lines of the log, as everything that a process writes', async () => {
    const change = (url: URL): void => void (url.search = '?sslmode=require');
    const output = await expectWaiting('programs/settings/main.js', change, 'the database offers no TLS');
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string; warning?: { text: string } });
    const warnings = lines.filter(({ message }) => message === 'the runtime warns');
    expect(warnings.map(({ warning }) => warning?.text).join()).to.match(/SSL modes/);
  });
});
