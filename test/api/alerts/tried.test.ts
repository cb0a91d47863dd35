import { expect } from 'chai';
import type { AlertDeliveryAnswer } from '../../../services/api/contract/alerts.ts';
import type { Receiver } from '../../key-maintenance/notify-support.ts';
import { SIGNING_SECRET } from '../../key-maintenance/alert-support.ts';
import type { MailServer } from '../../settings/support/mail-server.ts';
import type { Sealift } from '../../support/sealift.ts';
import { openAlertStage, type AlertStage } from './stage.ts';

describe('the tests of a rule for alerts', () => {
  let sealift: Sealift;
  let receiver: Receiver;
  let mail: MailServer;
  let stop: AlertStage['stop'];

  before(async () => {
    ({ sealift, receiver, mail, stop } = await openAlertStage());
  });
  after(() => stop());

  const call = async (path: string, body: object) => {
    const answer = await sealift.client.post(`/v1/sys/alerts/${path}`, body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data;
  };
  const deliveries = async (name: string): Promise<AlertDeliveryAnswer[]> =>
    (await sealift.client.get(`/v1/sys/alerts/${name}/deliveries`)).body.data.deliveries;

  it('a test stands among the deliveries of its rule, with each recipient and why it failed', async () => {
    await call('tested', { addresses: ['one@example.com', 'refused@example.com'] });
    await call('tested/test', {});
    const found = await deliveries('tested');
    const outcomes = found.map(({ recipient, outcome }) => `${recipient} ${outcome}`);
    expect(outcomes).to.have.members(['one@example.com delivered', 'refused@example.com failed']);
    for (const one of found) {
      expect(one).to.deep.include({ happenings: ['alert.test'], about: [], attempts: 1, next_try_at: null });
      expect(Date.parse(one.tried_at ?? '')).to.be.closeTo(Date.now(), 60_000);
    }
    const failed = found.find(({ outcome }) => outcome === 'failed');
    expect(failed?.detail).to.contain('550 5.1.1');
    const sent = found.find(({ outcome }) => outcome === 'delivered');
    expect(mail.mails[0]?.text).to.contain(`<${sent?.id}@sealift>`);
  });

  it('a test of a webhook is recorded under the id that its receiver saw', async () => {
    await call('hook', { channel: 'webhook', url: receiver.url, secret: SIGNING_SECRET });
    await call('hook/test', {});
    const elsewhere = await call('hook/test', { url: 'http://127.0.0.1:1/' });
    expect(elsewhere.ok).to.equal(false);
    const [failed, sent] = await deliveries('hook');
    expect(failed).to.deep.include({ recipient: '127.0.0.1:1', outcome: 'failed' });
    expect(sent).to.deep.include({ recipient: new URL(receiver.url).host, outcome: 'delivered' });
    expect(receiver.calls[0]?.headers['webhook-id']).to.equal(sent?.id);
  });

  it('a test does not count in the state of its rule', async () => {
    const { body } = await sealift.client.list('/v1/sys/alerts');
    for (const name of ['tested', 'hook'])
      expect(body.data.key_info[name]).to.deep.include({ last_delivered: null, failing: null });
  });

  it('a test of a rule that is not stored is recorded nowhere', async () => {
    await call('typed/test', { addresses: ['one@example.com'] });
    const { db } = sealift.context;
    const before = await db('alert_deliveries');
    await call('typed', { addresses: ['one@example.com'] });
    expect(await deliveries('typed')).to.deep.equal([]);
    expect(before).to.have.length(4);
  });
});
