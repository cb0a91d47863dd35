import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Receiver } from './notify-support.ts';
import { openAlertScene, SIGNING_SECRET, VALUE, type AlertScene } from './alert-support.ts';

const DAY_MINUTES = 24 * 60;

describe('alerts by rules', () => {
  let scene: AlertScene;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
    scene = await openAlertScene();
  });
  afterEach(async () => {
    await scene.stop();
    await receiver.close();
  });

  const webhook = (more: object = {}) => ({
    channel: 'webhook',
    url: receiver.url,
    secret: SIGNING_SECRET,
    ...more,
  });
  const notices = () => receiver.calls.map(({ body }) => JSON.parse(body) as { type: string; data: Told });
  type Told = {
    destination: { namespace: string; type: string; name: string };
    total: number;
    notifications?: { type: string }[];
    associations: { secret_name: string; code?: string }[];
  };
  const secretsTold = () => notices().map(({ data }) => data.associations.map((one) => one.secret_name));
  const recipients = () => scene.mail.mails.flatMap(({ to }) => to);

  it('a rule tells a lasting failure once, signed and to each address, and then its end', async () => {
    await scene.link('app/db');
    await scene.write('hook', webhook({ minutes: 5 }));
    await scene.write('team', { addresses: ['one@example.com', 'two@example.com'], minutes: 5 });
    await scene.fail('app/db');
    for (const minute of [0, 4]) await scene.notify(minute);
    expect(receiver.calls).to.have.length(0);
    expect(await scene.notify(10)).to.include({ created: 2, sent: 3, failed: 0 });
    await scene.notify(11);
    expect(receiver.calls).to.have.length(1);
    expect(recipients()).to.have.members(['one@example.com', 'two@example.com']);
    const [call] = receiver.calls;
    const notice = new Webhook(SIGNING_SECRET).verify(
      call?.body ?? '',
      call?.headers as Record<string, string>,
    ) as { type: string; data: Told };
    expect(notice.type).to.equal('associations.failing');
    expect(notice.data.destination).to.deep.equal({ namespace: '', type: 'cloud1-sm', name: 'prod' });
    expect(notice.data.associations[0]).to.include({ secret_name: 'app/db', code: 'permission_missing' });
    await scene.heal('app/db');
    expect(await scene.notify(12)).to.include({ created: 2, sent: 3 });
    expect(notices().map(({ type }) => type)).to.deep.equal([
      'associations.failing',
      'associations.resolved',
    ]);
    expect(scene.mail.mails.at(-1)?.text).to.contain('1 link no longer fails at prod (AWS Secrets Manager)');
    const failing = scene.mail.mails.map(({ text }) => text).find((text) => text.includes('What to do:'));
    expect(failing).to.match(/^Subject: [^]*permission_missing[^]*^ {2}The credentials lack a permission/m);
    for (const text of [
      ...receiver.calls.map(({ body }) => body),
      ...scene.mail.mails.map((one) => one.text),
    ])
      expect(text).not.to.contain(VALUE);
  });

  it('a rule that does not want the end of a failure is not told it', async () => {
    await scene.link('app/db');
    await scene.write('hook', webhook({ minutes: 1, resolved: false }));
    await scene.fail('app/db');
    for (const minute of [0, 1]) await scene.notify(minute);
    await scene.heal('app/db');
    await scene.notify(2);
    await scene.fail('app/db');
    for (const minute of [3, 4]) await scene.notify(minute);
    expect(notices().map(({ type }) => type)).to.deep.equal(['associations.failing', 'associations.failing']);
  });

  it('a rule tells only the causes, destinations and namespaces that it names', async () => {
    await scene.link('app/db');
    await scene.link('app/cache', 'cloud1-sm/pro_d');
    await scene.link('team/db', 'cloud1-sm/prod', 'team-a');
    const minutes = 1;
    await scene.write('causes', webhook({ minutes, causes: ['conflict', 'EXTERNAL_SERVICE_ERROR'] }));
    await scene.fail('app/db', 'conflict');
    await scene.fail('app/cache', 'permission_missing');
    for (const minute of [0, 1]) await scene.notify(minute);
    expect(secretsTold()).to.deep.equal([['app/db']]);

    receiver.calls.length = 0;
    await scene.write('causes', { enabled: false });
    await scene.write('names', webhook({ minutes, destinations: ['*/pro_d'] }));
    await scene.notify(2);
    expect(secretsTold()).to.deep.equal([['app/cache']]);

    receiver.calls.length = 0;
    await scene.write('names', { enabled: false });
    await scene.write('below', webhook({ minutes, namespaces: ['team-*'] }));
    await scene.write('own', webhook({ minutes, namespaces: ['/'], causes: ['conflict'] }));
    await scene.write('inside', webhook({ minutes }), 'team-a');
    await scene.fail('team/db', 'conflict');
    for (const minute of [3, 4]) await scene.notify(minute);
    expect(secretsTold()).to.have.deep.members([['team/db'], ['app/db'], ['team/db']]);
  });

  it('happenings of the whole installation reach rules of the root namespace that want them', async () => {
    await scene.link('team/db', 'cloud1-sm/prod', 'team-a');
    await scene.write('keys', webhook({ happenings: ['key.rotated'] }));
    await scene.write('letters', { addresses: ['one@example.com'], happenings: ['dead-letters.appeared'] });
    await scene.write('team', { addresses: ['team@example.com'] }, 'team-a');
    await scene.notify(0);
    const seen = scene.services.db('notify_state').where({ name: 'master-key' });
    await seen.update({ value: JSON.stringify({ ids: ['0011'] }) });
    await scene.notify(1);
    expect(notices().map(({ type }) => type)).to.deep.equal(['key.rotated']);
    expect(recipients()).to.deep.equal([]);
  });

  it('quiet hours hold what happens, and end with one message to each address', async () => {
    for (const name of ['app/db', 'app/cache']) await scene.link(name);
    const quiet = { quiet_from: '22:00', quiet_to: '06:00', quiet_time_zone: 'UTC' };
    await scene.write('night', { addresses: ['one@example.com', 'two@example.com'], minutes: 1, ...quiet });
    await scene.write('hook', webhook({ minutes: 1, ...quiet }));
    const notifyOn = (time: string) => scene.notifyAt(new Date(`2030-05-06T${time}:00Z`));
    await scene.fail('app/db');
    await notifyOn('22:30');
    expect(await notifyOn('22:31')).to.include({ created: 2, sent: 0 });
    await scene.fail('app/cache');
    await notifyOn('22:40');
    await notifyOn('22:41');
    await scene.heal('app/db');
    await notifyOn('23:50');
    expect(recipients()).to.deep.equal([]);
    const listed = await scene.sealift.client.get('/v1/sys/alerts/night/deliveries');
    expect(listed.body.data.deliveries).to.have.length(2);
    expect(listed.body.data.deliveries[0]).to.deep.include({
      id: 'held',
      outcome: 'held',
      happenings: ['associations.failing', 'associations.failing', 'associations.resolved'],
    });
    await scene.notifyAt(new Date('2030-05-07T06:00:00Z'));
    await scene.notifyAt(new Date('2030-05-07T06:01:00Z'));
    expect(recipients()).to.have.members(['one@example.com', 'two@example.com']);
    const [mail] = scene.mail.mails;
    expect(mail?.text).to.contain('3 alerts that were held');
    for (const name of ['app/db', 'app/cache', 'no longer fails']) expect(mail?.text).to.contain(name);
    // By the clock of the quiet hours of the rule.
    expect(mail?.text).to.match(/Seen at 6 May 2030, 22:31:00 UTC\./);
    expect(notices()).to.have.length(1);
    expect(notices()[0]?.type).to.equal('alerts.held');
    expect(notices()[0]?.data.notifications?.map(({ type }) => type)).to.deep.equal([
      'associations.failing',
      'associations.failing',
      'associations.resolved',
    ]);
  });

  it('a muted rule sends nothing until its time, and then all of it as one message', async () => {
    await scene.link('app/db');
    const wrong = await scene.sealift.client.post('/v1/sys/alerts/muted', {
      addresses: ['one@example.com'],
      muted_until: 'tomorrow',
    });
    expect(wrong.body.errors).to.deep.equal(['muted_until must be a time such as 2027-01-31T08:00:00Z']);
    const until = '2030-05-06T12:00:00Z';
    await scene.write('muted', { addresses: ['one@example.com'], minutes: 1, muted_until: until });
    const listed = await scene.sealift.client.list('/v1/sys/alerts');
    expect(Date.parse(listed.body.data.key_info.muted.muted_until)).to.equal(Date.parse(until));
    await scene.fail('app/db');
    await scene.notifyAt(new Date('2030-05-06T11:57:00Z'));
    await scene.notifyAt(new Date('2030-05-06T11:58:00Z'));
    await scene.heal('app/db');
    await scene.notifyAt(new Date('2030-05-06T11:59:00Z'));
    expect(recipients()).to.deep.equal([]);
    await scene.notifyAt(new Date('2030-05-06T12:00:00Z'));
    await scene.notifyAt(new Date('2030-05-06T12:01:00Z'));
    expect(recipients()).to.deep.equal(['one@example.com']);
    expect(scene.mail.mails[0]?.text).to.contain('2 alerts that were held');
  });

  it('a held message outlives the day after which others are given up', async () => {
    await scene.link('app/db');
    const quiet = { quiet_from: '18:00', quiet_to: '18:00', quiet_time_zone: 'UTC' };
    await scene.write('weekend', webhook({ minutes: 1, ...quiet, quiet_days: ['fri', 'sat', 'sun'] }));
    await scene.fail('app/db');
    await scene.notifyAt(new Date('2030-05-10T19:00:00Z'));
    await scene.notifyAt(new Date('2030-05-10T19:01:00Z'));
    receiver.answer = 500;
    expect(await scene.notifyAt(new Date('2030-05-13T18:00:00Z'))).to.include({ failed: 1, given_up: 0 });
    receiver.answer = 204;
    expect(await scene.notifyAt(new Date('2030-05-13T18:01:00Z'))).to.include({ sent: 1 });
  });

  it('a rule whose quiet hours are taken away sends what it held at once', async () => {
    await scene.link('app/db');
    const quiet = { quiet_from: '22:00', quiet_to: '06:00', quiet_time_zone: 'UTC' };
    await scene.write('night', webhook({ minutes: 1, ...quiet }));
    await scene.fail('app/db');
    await scene.notifyAt(new Date('2030-05-06T22:30:00Z'));
    await scene.notifyAt(new Date('2030-05-06T22:31:00Z'));
    await scene.write('night', { quiet_from: '', quiet_to: '', quiet_time_zone: '' });
    expect(await scene.notifyAt(new Date('2030-05-06T22:32:00Z'))).to.include({ sent: 1 });
    expect(secretsTold()).to.deep.equal([['app/db']]);
  });

  it('a broken channel is tried less and less, and holds up no other', async () => {
    await scene.link('app/db');
    const broken = await startReceiver();
    broken.answer = 500;
    await scene.write('broken', webhook({ minutes: 1, url: broken.url }));
    await scene.write('mails', { addresses: ['one@example.com', 'nobody@invalid.example'], minutes: 1 });
    await scene.write('hook', webhook({ minutes: 1 }));
    await scene.fail('app/db');
    await scene.notify(0);
    expect(await scene.notify(1)).to.include({ created: 3, sent: 3, failed: 1, problems: 1 });
    await scene.heal('app/db');
    // Of the two messages that are due for the broken channel now, one is tried.
    expect(await scene.notify(2)).to.include({ sent: 3, failed: 1 });
    expect(broken.calls).to.have.length(2);
    const { body } = await scene.sealift.client.list('/v1/sys/alerts');
    expect(body.data.key_info['broken'].failing).to.equal('The receiver answered with status 500.');
    expect(body.data.key_info['hook'].failing).to.equal(null);
    broken.answer = 200;
    await scene.notify(4);
    await scene.notify(6);
    const types = broken.calls.slice(2).map((call) => JSON.parse(call.body).type);
    expect(types).to.deep.equal(['associations.failing', 'associations.resolved']);
    await broken.close();
  });

  it('a message that is never taken is given up after a day, and the rule says so', async () => {
    await scene.link('app/db');
    await scene.write('hook', webhook({ minutes: 1 }));
    await scene.fail('app/db');
    receiver.answer = 307;
    for (const minute of [0, 1]) await scene.notify(minute);
    expect(await scene.notify(1 + DAY_MINUTES)).to.include({ failed: 1, given_up: 1 });
    await scene.notify(1 + 2 * DAY_MINUTES);
    expect(receiver.calls).to.have.length(2);
    const { body } = await scene.sealift.client.get('/v1/sys/alerts/hook/deliveries');
    expect(body.data.deliveries[0]).to.include({ outcome: 'given_up', attempts: 2, next_try_at: null });
    expect(body.data.deliveries[0].detail).to.contain('status 307, a redirect, which is not followed');
  });

  it('a deleted rule sends nothing any more, not even what it held', async () => {
    await scene.link('app/db');
    const quiet = { quiet_from: '22:00', quiet_to: '06:00', quiet_time_zone: 'UTC' };
    await scene.write('night', webhook({ minutes: 1, ...quiet }));
    await scene.write('other', { addresses: ['one@example.com'], minutes: 1 });
    await scene.fail('app/db');
    await scene.notifyAt(new Date('2030-05-06T22:30:00Z'));
    await scene.notifyAt(new Date('2030-05-06T22:31:00Z'));
    expect((await scene.sealift.client.delete('/v1/sys/alerts/night')).status).to.equal(204);
    await scene.notifyAt(new Date('2030-05-07T06:00:00Z'));
    expect(receiver.calls).to.have.length(0);
    expect(recipients()).to.deep.equal(['one@example.com']);
    expect(await scene.services.db('alert_tellings')).to.have.length(1);
  });

  it('a rule that was off has dropped what waited, and tells what still fails', async () => {
    await scene.link('app/db');
    await scene.write('hook', webhook({ minutes: 1 }));
    await scene.fail('app/db');
    receiver.answer = 500;
    for (const minute of [0, 1]) await scene.notify(minute);
    await scene.write('hook', { enabled: false });
    receiver.answer = 204;
    receiver.calls.length = 0;
    for (const minute of [2, 3, 4]) await scene.notify(minute);
    expect(receiver.calls).to.have.length(0);
    await scene.write('hook', { enabled: true });
    expect(await scene.notify(5)).to.include({ created: 1, sent: 1 });
  });

  it('a message that the former version has left is delivered', async () => {
    await scene.stop();
    scene = await openAlertScene({
      NOTIFY_WEBHOOK_URL: receiver.url,
      NOTIFY_WEBHOOK_SECRET: SIGNING_SECRET,
    });
    const { db } = scene.services;
    const happened = {
      id: 'ntf_former',
      kind: 'key.rotated',
      happened_at: new Date(),
      data: '{"key":"k","id":"1"}',
    };
    await db('notifications').insert(happened);
    const left = { notification_id: 'ntf_former', channel: 'webhook', recipient: '', due_at: new Date() };
    await db('notification_deliveries').insert(left);
    await scene.notify(11);
    await scene.notify(12);
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).to.deep.equal(['ntf_former']);
  });
});
