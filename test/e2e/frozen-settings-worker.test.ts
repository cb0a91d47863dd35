import { expect } from 'chai';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const GENERAL = '/api/v2/admin/general-settings';

describe('a settings worker that freezes for longer than a caller waits', () => {
  let sealift: Sealift;
  let worker: ServiceProcess;

  before(async () => {
    sealift = await startSealift();
    worker = await startProcess('programs/settings/main.js', sealift.environment);
  });
  after(async () => {
    await worker?.kill();
    await sealift.stop();
  });

  const change = (limit: number) =>
    sealift.client.patch(GENERAL, {
      data: { type: 'general-settings', attributes: { 'api-rate-limit': limit } },
    });

  it('a settings worker never does later what the caller was told was not done, and works again', async () => {
    expect((await change(41)).status).to.equal(200);
    worker.pause();
    const refused = await change(42);
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain('nothing was done');
    worker.resume();
    // Long enough to read and carry out the waiting commands.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const read = await sealift.client.get(GENERAL);
    expect(read.body.data.attributes['api-rate-limit']).to.equal(41);
    expect((await change(43)).status).to.equal(200);
  });
});
