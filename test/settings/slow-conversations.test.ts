import { expect } from 'chai';
import { startAdmin, type AdminSealift } from './support/admin.ts';
import { startSilentServer } from './support/mail-server.ts';

describe('slow conversations with mail servers', () => {
  let sealift: AdminSealift;
  let silent: Awaited<ReturnType<typeof startSilentServer>>;

  before(async () => {
    sealift = await startAdmin();
    silent = await startSilentServer();
  });

  after(async () => {
    await sealift.stop();
    await silent.close();
  });

  it('slow conversations hold up no other change of settings', async () => {
    const trial = {
      enabled: true,
      host: '127.0.0.1',
      port: silent.port,
      sender: 'sealift@example.com',
      'test-email-address': 'admin@example.com',
    };
    const slow = Array.from({ length: 40 }, () => sealift.change('smtp', trial));
    const refused = await Promise.race(slow);
    expect(refused.status).to.equal(503);
    expect(refused.headers).to.have.property('retry-after');
    expect(refused.body.errors[0].detail).to.match(/nothing was changed/);
    const quick = await sealift.change('customization', { footer: 'made meanwhile' });
    expect(quick.status, quick.text).to.equal(200);
    const statuses = (await Promise.all(slow)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 504)).to.have.length(32);
    expect(statuses.filter((status) => status === 503)).to.have.length(8);
  });
});
