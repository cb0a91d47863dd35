import { expect } from 'chai';
import type { IncidentAnswer } from '../../services/api/contract/summary.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('an incident whose alert was sent with an earlier one', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: SHORT_LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await sealift.start('connector', cloud1Worker(fake));
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const latest = async (count: number): Promise<IncidentAnswer> =>
    eventually(async () => {
      const { incidents } = (await sealift.client.get('/v1/sys/sync/incidents')).body.data;
      expect(incidents, JSON.stringify(incidents)).to.have.length(count);
      return incidents[0];
    });
  // As the notify job and the settings worker leave it.
  const tell = async ({ class: kind, code }: { class: string; code: string }): Promise<void> => {
    const { db } = sealift.context;
    await sealift.client.post('/v1/sys/alerts/on-call', { addresses: ['bo@example.com'] });
    const { id } = await db('alert_rules').where({ name: 'on-call' }).first('id');
    const associations = [{ mount: 'secret', secret_name: 'one', class: kind, code }];
    const destination = { namespace: '', type: 'cloud1-sm', name: 'prod' };
    const now = new Date();
    await db('notifications').insert({
      id: 'ntf_one',
      kind: 'associations.failing',
      happened_at: now,
      data: JSON.stringify({ destination, total: 1, associations }),
    });
    await db('alert_deliveries').insert({
      rule_id: id,
      notification_id: 'ntf_one',
      channel: 'email',
      recipient: 'bo@example.com',
      message_id: 'msg_one',
      queued_at: now,
      tried_at: now,
      delivered_at: now,
      attempts: 1,
    });
  };

  it('an incident tells of that alert while the link fails on, and not once it was in sync', async () => {
    await driver.write('one', { v: 1 });
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await driver.write('one', { v: 2 });
    const { cause } = await latest(1);
    await tell(cause);
    expect((await latest(1)).told.map(({ rule, earlier }) => ({ rule, earlier }))).to.deep.equal([
      { rule: 'on-call', earlier: false },
    ]);
    fake.clearFaults();
    fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await driver.associate('one');
    const next = await latest(2);
    expect(next.cause.code).to.not.equal(cause.code);
    expect(next.told.map(({ rule, earlier }) => ({ rule, earlier }))).to.deep.equal([
      { rule: 'on-call', earlier: true },
    ]);
    fake.clearFaults();
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await driver.write('one', { v: 3 });
    expect((await latest(3)).told).to.deep.equal([]);
  });

  it('incidents name the rule that told of them after it was deleted and made anew', async () => {
    const alertsOf = async (): Promise<IncidentAnswer['told'][]> => {
      const { incidents } = (await sealift.client.get('/v1/sys/sync/incidents')).body.data;
      return incidents.map((incident: IncidentAnswer) => incident.told);
    };
    const before = await alertsOf();
    expect((await sealift.client.delete('/v1/sys/alerts/on-call')).status).to.equal(204);
    await sealift.client.post('/v1/sys/alerts/on-call', { addresses: ['bo@example.com'] });
    expect(await alertsOf()).to.deep.equal(
      before.map((alerts) => alerts.map((one) => ({ ...one, deleted: true }))),
    );
    expect(before.map((alerts) => alerts.length)).to.deep.equal([0, 1, 1]);
  });
});
