import { expect } from 'chai';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('a settings worker whose clock is two days ahead', () => {
  let sealift: Sealift;
  let worker: ServiceProcess;

  before(async () => {
    sealift = await startSealift();
    const clock = new URL('../support/clock-ahead.js', import.meta.url);
    worker = await startProcess('programs/settings/main.js', {
      ...sealift.environment,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import ${clock.href}`,
    });
  });
  after(async () => {
    await worker?.kill();
    await sealift?.stop();
  });

  it('the refusal of a command, and the log of the worker, name the clocks', async () => {
    const refused = await sealift.client.patch('/api/v2/admin/general-settings', {
      data: { type: 'general-settings', attributes: { 'api-rate-limit': 41 } },
    });
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain('by the clock of the worker').and.contain('nothing was done');
    await worker.kill('SIGTERM');
    expect(worker.output()).to.contain('"seconds":1728').and.contain('by the clock of the worker');
  });
});
