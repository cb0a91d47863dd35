import { connect } from 'amqplib';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startMailServer, storeMailServer, type MailServer } from '../settings/support/mail-server.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { startReceiver, type Receiver } from './notify-support.ts';
import { runDue, runNow, startMaintenance } from './support.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const VALUE = 'hunter2-the-value';
const MINUTE = 60_000;

describe('notifications', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  let receiver: Receiver;
  let mail: MailServer;
  // The receiver's library refuses signatures that are older than some minutes, so minute 10 is the present.
  let start = 0;
  const afterMinutes = (minutes: number) => new Date(start + minutes * MINUTE);

  beforeEach(async () => {
    start = Date.now() - 10 * MINUTE;
    receiver = await startReceiver();
    mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
    sealift = await startSealift({
      workers: { settings: startSettingsWorker },
      environment: {
        NOTIFY_WEBHOOK_URL: receiver.url,
        NOTIFY_WEBHOOK_SECRET: SECRET,
        NOTIFY_EMAIL: 'one@example.com, two@example.com',
        NOTIFY_FAILED_MINUTES: '10',
        EGRESS_ALLOW: '127.0.0.0/8',
      },
    });
    services = await startMaintenance(sealift);
    await storeMailServer(services.db, mail);
  });
  afterEach(async () => {
    await sealift.stop();
    await receiver.close();
    await mail.close();
  });

  const notify = (minutes: number) => runNow(services, 'notify', { now: afterMinutes(minutes) });

  async function associate(...names: string[]): Promise<void> {
    await sealift.client.post('/v1/sys/mounts/kv', { type: 'kv-v2' });
    const destination = '/v1/sys/sync/destinations/cloud1-sm/prod';
    await sealift.client.post(destination, {
      access_key_id: 'AKIA',
      secret_access_key: VALUE,
      region: 'eu-west-1',
    });
    for (const name of names) {
      await sealift.client.post(`/v1/kv/data/${name}`, { data: { password: VALUE } });
      const headers = { prefer: 'respond-async' };
      const body = { mount: 'kv', secret_name: name };
      const answer = await sealift.client.post(`${destination}/associations/set`, body, { headers });
      expect(answer.status, answer.text).to.equal(200);
    }
  }

  const fail = (path: string, since?: Date) =>
    services
      .db('associations')
      .where({ secret_path: path })
      .update({
        failing_since: since ?? null,
        failure: JSON.stringify({
          class: 'CLIENT_SIDE_ERROR',
          code: 'permission_missing',
          message: 'No right.',
        }),
      });
  const heal = (path: string) =>
    services.db('associations').where({ secret_path: path }).update({ failure: null, due_at: null });

  it('a failure that lasts is told once, by a signed call and an email to each address', async () => {
    await associate('app/db', 'app/cache', 'app/fine');
    await fail('app/db');
    await fail('app/cache', afterMinutes(-1));
    for (const minute of [0, 8]) await notify(minute);
    expect(receiver.calls).to.have.length(0);
    expect(await notify(10)).to.include({ created: 1, sent: 3, failed: 0 });
    await notify(11);
    await notify(600);
    expect(receiver.calls).to.have.length(1);
    const [call] = receiver.calls;
    const headers = call?.headers as Record<string, string>;
    expect(Number(headers['webhook-timestamp'])).to.equal(Math.floor(afterMinutes(10).getTime() / 1000));
    const notice = new Webhook(SECRET).verify(call?.body ?? '', headers) as {
      type: string;
      data: {
        destination: object;
        total: number;
        associations: { secret_name: string; code: string; since: string }[];
      };
    };
    expect(notice.type).to.equal('associations.failing');
    expect(notice.data.destination).to.deep.equal({ namespace: '', type: 'cloud1-sm', name: 'prod' });
    expect(notice.data.total).to.equal(2);
    expect(notice.data.associations.map((one) => one.secret_name).sort()).to.deep.equal([
      'app/cache',
      'app/db',
    ]);
    const since = Object.fromEntries(notice.data.associations.map((one) => [one.secret_name, one.since]));
    expect(since).to.deep.equal({
      'app/db': afterMinutes(0).toISOString(),
      'app/cache': afterMinutes(-1).toISOString(),
    });
    expect(notice.data.associations[0]?.code).to.equal('permission_missing');
    expect(mail.mails.map(({ to }) => to)).to.have.deep.members([['one@example.com'], ['two@example.com']]);
    // Without the breaks of long lines.
    expect(mail.mails[0]?.text.replaceAll('=\r\n', ''))
      .to.match(/^Subject: Sealift: 2 links fail at prod \(AWS Secrets Manager\)/m)
      .and.to.match(/permission_missing, since \d+ \w+ \d{4}, \d\d:\d\d:\d\d \w+/)
      .and.to.not.match(/associations?\b|cloud1-sm|\.\d{3}Z/);
    for (const text of [call?.body ?? '', ...mail.mails.map((one) => one.text)])
      expect(text).not.to.contain(VALUE);
  });

  it('an association that had recovered is told anew, and one that recovered in time is not', async () => {
    await associate('app/db');
    await fail('app/db');
    await notify(0);
    await heal('app/db');
    await notify(5);
    await fail('app/db');
    await notify(6);
    await notify(15);
    expect(receiver.calls).to.have.length(0);
    await notify(16);
    expect(receiver.calls).to.have.length(1);
    await heal('app/db');
    await notify(20);
    await fail('app/db');
    await notify(21);
    await notify(31);
    expect(receiver.calls).to.have.length(2);
  });

  it('a secret of which only one key fails is told, too', async () => {
    await associate('app/db');
    const cause = JSON.stringify({ class: 'CONFLICT', code: 'not_ours', message: 'Somebody made it.' });
    expect(await services.db('entries').update({ cause })).to.be.above(0);
    await notify(0);
    await notify(10);
    expect(receiver.calls[0]?.body).to.contain('not_ours');
  });

  it('each rotation of the signing key is told, the first key of an installation excepted', async () => {
    await notify(0);
    await runNow(services, 'rotate-signing-key', { now: afterMinutes(1) });
    await notify(2);
    expect(receiver.calls).to.have.length(0);
    await runNow(services, 'rotate-signing-key', { now: afterMinutes(100 * 24 * 60) });
    await notify(100 * 24 * 60 + 1);
    await notify(100 * 24 * 60 + 2);
    expect(receiver.calls).to.have.length(1);
    const newest = await services.db('oidc_keys').orderBy('id', 'desc').first();
    expect(JSON.parse(receiver.calls[0]?.body ?? '')).to.deep.include({ type: 'key.rotated' });
    expect(receiver.calls[0]?.body).to.contain(newest.kid);
    expect(mail.mails).to.have.length(2);
  });

  it('a master key that was never seen before is told', async () => {
    await notify(0);
    await services
      .db('notify_state')
      .where({ name: 'master-key' })
      .update({ value: JSON.stringify({ ids: ['0011'] }) });
    await notify(1);
    await notify(2);
    expect(receiver.calls.map(({ body }) => JSON.parse(body).data.key)).to.deep.equal(['master-key']);
  });

  it('new dead letters are told once, and later ones again', async () => {
    const connection = await connect(sealift.environment['AMQP_URL'] ?? '');
    const channel = await connection.createConfirmChannel();
    const queue = services.topology.deadLetters;
    const deadLetter = async () => {
      const { messageCount } = await channel.checkQueue(queue);
      channel.sendToQueue(queue, Buffer.from('unreadable'));
      await channel.waitForConfirms();
      await eventually(async () => (await channel.checkQueue(queue)).messageCount === messageCount + 1);
    };
    await notify(0);
    await deadLetter();
    await notify(1);
    await notify(2);
    expect(receiver.calls).to.have.length(1);
    expect(JSON.parse(receiver.calls[0]?.body ?? '').data).to.include({ new: 1, total: 1 });
    await deadLetter();
    await notify(3);
    expect(receiver.calls).to.have.length(2);
    await connection.close();
  });

  it('a notification is tried again less and less often under the same id, for a day', async () => {
    await associate('app/db');
    await fail('app/db');
    await notify(0);
    receiver.answer = 307;
    expect(await notify(10)).to.include({ created: 1, sent: 2, failed: 1, problems: 1 });
    // It still waits for its next try: that is no success.
    expect(await notify(10.5)).to.include({ sent: 0, failed: 0, problems: 1 });
    expect(receiver.calls).to.have.length(1);
    receiver.answer = 500;
    await notify(11);
    await notify(12);
    expect(receiver.calls).to.have.length(2);
    receiver.answer = 200;
    expect(await notify(13)).to.include({ created: 0, sent: 1, problems: 0 });
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))).to.have.property('size', 1);
    await notify(120);
    expect(receiver.calls).to.have.length(3);
    expect(mail.mails).to.have.length(2);

    await heal('app/db');
    await notify(200);
    await fail('app/db');
    receiver.answer = 500;
    await notify(201);
    await notify(211);
    expect(await notify(211 + 24 * 60)).to.include({ failed: 1, given_up: 1 });
    const calls = receiver.calls.length;
    await notify(211 + 48 * 60);
    expect(receiver.calls).to.have.length(calls);
    const ends = await services.db('alert_deliveries').whereNull('delivered_at');
    expect(ends.map(({ error, due_at }) => [error, due_at])).to.deep.equal([['status_500', null]]);
  });

  it('notifications wait for the settings worker and the mail server', async () => {
    await services
      .db('settings')
      .where({ kind: 'smtp' })
      .update({ attributes: JSON.stringify({ enabled: false }) });
    await associate('app/db');
    await fail('app/db');
    await notify(0);
    expect(await notify(10)).to.include({ sent: 1, failed: 2 });
    await services
      .db('settings')
      .where({ kind: 'smtp' })
      .update({
        attributes: JSON.stringify({
          enabled: true,
          host: '127.0.0.1',
          port: mail.port,
          sender: 'sealift@example.com',
        }),
      });
    expect(await notify(11)).to.include({ sent: 2, failed: 0 });
    expect(mail.mails).to.have.length(2);
  });

  it('notifications run every minute by the schedule, and by several workers once', async () => {
    await associate('app/db');
    await fail('app/db');
    const other = await startMaintenance(sealift);
    await runDue(services, 'notify', afterMinutes(0));
    expect(await runDue(services, 'notify', afterMinutes(0))).to.equal(null);
    await Promise.all([
      runDue(services, 'notify', afterMinutes(11)),
      runDue(other, 'notify', afterMinutes(11)),
    ]);
    expect(receiver.calls).to.have.length(1);
  });
});
