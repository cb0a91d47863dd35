import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { startReceiver, type Receiver } from './notify-support.ts';
import { openAlertScene, SIGNING_SECRET, type AlertScene } from './alert-support.ts';

describe('what alerts tell beside failures, and where they lead', () => {
  let scene: AlertScene;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
    scene = await openAlertScene(
      { PUBLIC_URL: 'https://sealift.example.com', CONSOLE: 'on' },
      { seesWorkers: true },
    );
  });
  afterEach(async () => {
    await scene.stop();
    await receiver.close();
  });

  type Call = { type: string; data: Record<string, unknown> };
  const calls = (): Call[] => receiver.calls.map(({ body }) => JSON.parse(body) as Call);
  const webhook = (more: object = {}) => ({
    channel: 'webhook',
    url: receiver.url,
    secret: SIGNING_SECRET,
    ...more,
  });

  it('a kind of worker that has none is told once, after the minutes of the rule, and its return', async () => {
    await scene.link('app/db');
    await scene.write('hook', webhook({ minutes: 5, happenings: ['workers.missing'] }));
    await scene.write('mails', { addresses: ['one@example.com'], minutes: 5, resolved: false });
    await scene.write('others', webhook({ minutes: 1, happenings: ['key.rotated'] }));
    await scene.write('team', webhook({ minutes: 1 }), '');
    await scene.sealift.client.delete('/v1/sys/alerts/team');
    for (const minute of [0, 4]) await scene.notify(minute);
    expect(receiver.calls).to.have.length(0);
    for (const minute of [5, 6]) await scene.notify(minute);
    expect(calls().map(({ type }) => type)).to.deep.equal(['workers.missing']);
    expect(calls()[0]?.data).to.deep.include({
      minutes: 5,
      total: 1,
      console: 'https://sealift.example.com/ui/status',
      summary:
        'no worker runs: AWS Secrets Manager (connector cloud1-sm). Start it: sealift serve connector cloud1-sm',
    });
    const [mail] = scene.mail.mails;
    expect(mail?.text).to.contain('sealift serve connector cloud1-sm');
    expect(mail?.text).to.contain('https://sealift.example.com/ui/status');
    const fake = await startCloud1SmFake();
    await scene.sealift.start('worker', cloud1Worker(fake));
    const types = () => calls().map(({ type }) => type);
    await eventually(async () => {
      await scene.notify(7);
      return types().length > 1;
    });
    expect(types()).to.deep.equal(['workers.missing', 'workers.returned']);
    expect(scene.mail.mails).to.have.length(1);
    await fake.close();
  });

  it('a rate limit of a store is told only by a rule that names it', async () => {
    await scene.link('app/db');
    const rule = { minutes: 1, happenings: ['associations.failing'] };
    await scene.write('all', webhook(rule));
    await scene.write('mails', { ...rule, addresses: ['one@example.com'], causes: ['rate_limited'] });
    await scene.fail('app/db', 'rate_limited');
    for (const minute of [0, 1, 2]) await scene.notify(minute);
    expect(receiver.calls).to.have.length(0);
    expect(scene.mail.mails).to.have.length(1);
    await scene.fail('app/db', 'conflict');
    await scene.notify(3);
    expect(calls().map(({ type }) => type)).to.deep.equal(['associations.failing']);
  });

  it('a summary counts the links of each cause, and says what to do about the most frequent', async () => {
    await scene.write('hook', webhook({ minutes: 1, happenings: ['associations.failing'] }));
    for (const name of ['app/one', 'app/two', 'app/three']) await scene.link(name);
    await scene.fail('app/one', 'permission_missing');
    for (const name of ['app/two', 'app/three']) await scene.fail(name, 'conflict');
    await scene.notify(0);
    await scene.notify(2);
    const { summary } = calls()[0]?.data ?? {};
    expect(summary).to.match(
      /^3 links fail at prod \(AWS Secrets Manager\): 2 with conflict, 1 with permission_missing\. conflict: /,
    );
    await scene.heal('app/two');
    await scene.heal('app/three');
    await scene.notify(3);
    await scene.fail('app/one', 'permission_missing');
    for (const name of ['app/two', 'app/three']) await scene.fail(name, 'permission_missing');
    await scene.notify(4);
    await scene.notify(6);
    expect(calls().at(-1)?.data['summary']).to.match(
      /^2 links fail at .*\): permission_missing\. The .*that its page in the console names\.$/,
    );
  });

  it('an entry that someone changed in the store is told as a failure, and leads to the console', async () => {
    await scene.link('app/db', 'cloud1-sm/prod', 'team-a');
    await scene.write('hook', webhook({ minutes: 1, happenings: ['associations.failing'] }));
    const { db } = scene.services;
    const association = await db('associations').first('id', 'destination_id');
    const drift = { class: 'CLIENT_SIDE_ERROR', code: 'changed_outside', message: 'changed' };
    await db('entries').insert({
      association_id: association.id,
      destination_id: association.destination_id,
      container: 'here',
      sub_key: '',
      external_name: 'app/db',
      name_key: 'app/db',
      status: 'SYNCED',
      drift: JSON.stringify(drift),
      drift_since: new Date(0),
    });
    await scene.notify(0);
    expect(calls()[0]?.data).to.deep.include({
      console: 'https://sealift.example.com/ui/destinations/cloud1-sm/prod?ns=team-a',
    });
    expect(JSON.stringify(calls()[0]?.data['associations'])).to.contain('changed_outside');
    expect(calls()[0]?.data['summary']).to.match(
      /^1 link fails at .*prod \(AWS Secrets Manager\): changed_outside\. \w.*\.$/,
    );
    const { body } = await scene.sealift.client.get('/v1/sys/alerts/hook/deliveries');
    expect(body.data.deliveries[0]).to.deep.include({
      about: ['team-a/cloud1-sm/prod: 1'],
      recipient: new URL(receiver.url).host,
    });
    // What is written, but not confirmed, may still fail.
    await db('entries').update({ drift: null, drift_since: null, status: 'SYNCING' });
    await scene.notify(1);
    expect(calls()).to.have.length(1);
    await db('entries').update({ status: 'SYNCED' });
    // So may what is about to be tried.
    await scene.notify(2);
    expect(calls()).to.have.length(1);
    await db('associations').update({ due_at: null });
    await scene.notify(3);
    expect(calls()[1]?.type).to.equal('associations.resolved');
  });
});
