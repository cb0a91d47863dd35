import { expect } from 'chai';
import { startSealift } from '../support/sealift.ts';
import { startReceiver } from './notify-support.ts';
import { runNow, startMaintenance } from './support.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('notifications that reach nobody', () => {
  it('notifications that are off neither look nor remember anything', async () => {
    const sealift = await startSealift();
    try {
      const services = await startMaintenance(sealift);
      expect(await runNow(services, 'notify')).to.deep.equal({ channels: 0 });
      expect(await services.db('notify_state')).to.deep.equal([]);
    } finally {
      await sealift.stop();
    }
  });

  it('an address that the egress guard refuses is refused, and kept out of the database', async () => {
    const receiver = await startReceiver();
    const sealift = await startSealift({
      environment: { NOTIFY_WEBHOOK_URL: receiver.url, NOTIFY_WEBHOOK_SECRET: SECRET },
    });
    try {
      const services = await startMaintenance(sealift);
      await runNow(services, 'notify');
      await services
        .db('notify_state')
        .where({ name: 'master-key' })
        .update({ value: JSON.stringify({ ids: [] }) });
      expect(await runNow(services, 'notify')).to.include({ created: 1, failed: 1 });
      expect(receiver.calls).to.have.length(0);
      const [delivery] = await services.db('alert_deliveries');
      expect(delivery).to.include({ error: 'EGRESS_REFUSED', recipient: '' });
    } finally {
      await sealift.stop();
      await receiver.close();
    }
  });
});
