import { expect } from 'chai';
import { seal, unseal } from '../../libs/crypto/seal.ts';
import { storeRetentionPolicy } from '../../libs/store/settings/retention.ts';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, runNow, startMaintenance } from './support.ts';

describe('data retention', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  let secretId: number;
  before(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
    const { db, keyring } = services;
    const mount = await db('mounts').where({ path: 'secret' }).first('id');
    const [secret] = await db('secrets')
      .insert({ mount_id: mount.id, path: 'app/db', current_version: 5, oldest_version: 1 })
      .returning('id');
    secretId = secret.id;
    const deletionTimes = [daysFromNow(-100), daysFromNow(-5), null, daysFromNow(30), daysFromNow(-100)];
    for (const [index, deletion_time] of deletionTimes.entries()) {
      const version = index + 1;
      await db('secret_versions').insert({
        secret_id: secretId,
        version,
        created_at: daysFromNow(-200),
        deletion_time,
        sealed: seal(keyring, `{"n":${version}}`, `secret_versions/${secretId}/${version}`),
      });
    }
    // In order of time, as in life.
    for (const days of [-100, -31, -29, 0]) {
      if (days === -31) {
        await db.raw(
          `INSERT INTO sync_history (at, destination_id, mount_id, secret_path, sub_key, action, outcome, duration_ms)
       SELECT now() - interval '50 days', 1, 1, 'many', '', 'none', 'SYNCED', 1 FROM generate_series(1, 2500)`,
        );
      }
      await db('audit_events').insert({
        at: daysFromNow(days),
        actor: 'test',
        namespace: '',
        action: `audit ${days}`,
        path: '',
        outcome: 'succeeded',
      });
      await db('sync_history').insert({
        at: daysFromNow(days),
        destination_id: 1,
        mount_id: mount.id,
        secret_path: `${days}`,
        sub_key: '',
        action: 'none',
        outcome: 'SYNCED',
        duration_ms: 1,
      });
    }
  });
  before(async () => {
    for (const [code, closed] of [
      ['old', -100],
      ['less-old', -50],
      ['open', null],
    ] as const)
      await services.db('sync_incidents').insert({
        namespace_id: 'root',
        destination_id: 1,
        code,
        cause: '{}',
        opened_at: daysFromNow(-400),
        closed_at: closed === null ? null : daysFromNow(closed),
        associations: 1,
        most: 1,
      });
  });
  after(() => sealift.stop());

  const versions = () => services.db('secret_versions').where({ secret_id: secretId }).orderBy('version');

  it('history goes after 90 days and audit entries after 365 without a policy, and versions stay', async () => {
    const summary = await runNow(services, 'apply-retention');
    expect(summary).to.deep.equal({
      days: null,
      incidents: 1,
      history: 1,
      audit: 0,
      versions: 0,
      partitions: 0,
    });
    expect(await services.db('sync_history')).to.have.length(2503);
  });

  it('older history, audit entries and deleted versions go with a policy, in one summary', async () => {
    await storeRetentionPolicy(services.db, 30);
    const summary = await runNow(services, 'apply-retention');
    expect(summary).to.deep.equal({
      days: 30,
      incidents: 1,
      history: 2501,
      audit: 2,
      versions: 2,
      partitions: 0,
    });
    expect(await services.db('sync_incidents').select('code')).to.deep.equal([{ code: 'open' }]);
    const history = await services.db('sync_history').orderBy('id').select('secret_path');
    expect(history.map((row) => row.secret_path)).to.deep.equal(['-29', '0']);
    const audit = await services.db('audit_events').where({ actor: 'test' }).orderBy('id').select('action');
    expect(audit.map((row) => row.action)).to.deep.equal(['audit -29', 'audit 0']);
  });

  it('the data of live versions are untouched, those of destroyed ones are gone', async () => {
    const rows = await versions();
    expect(rows.map((row) => row.destroyed)).to.deep.equal([true, false, false, false, true]);
    for (const row of rows) {
      if (row.destroyed) expect(row.sealed).to.equal(null);
      else {
        const plain = unseal(services.keyring, row.sealed, `secret_versions/${secretId}/${row.version}`);
        expect(plain.toString()).to.equal(`{"n":${row.version}}`);
      }
    }
  });

  it('a later run takes what has grown old meanwhile, and a version that has expired by then', async () => {
    const summary = await runNow(services, 'apply-retention', { now: daysFromNow(61) });
    expect(summary).to.include({ history: 2, versions: 2 });
    const rows = await versions();
    expect(rows.map((row) => row.destroyed)).to.deep.equal([true, true, false, true, true]);
  });

  it('the run itself is in the audit trail, even where it removed audit entries', async () => {
    const entries = await services.db('audit_events').where({ action: 'job apply-retention' }).orderBy('id');
    const last = entries.at(-1);
    expect(last).to.include({ outcome: 'succeeded', actor: 'key-maintenance' });
    expect(last.detail).to.include({ days: 30, versions: 2 });
  });

  it('a policy of one day leaves the audit entries of the last seven', async () => {
    const { db } = services;
    for (const days of [-8, -6, -2])
      await db('audit_events').insert({
        at: daysFromNow(days),
        actor: 'floor',
        namespace: '',
        action: `audit ${days}`,
        path: '',
        outcome: 'succeeded',
      });
    await storeRetentionPolicy(db, 1);
    await runNow(services, 'apply-retention');
    const left = await db('audit_events').where({ actor: 'floor' }).orderBy('id').select('action');
    expect(left.map(({ action }) => action)).to.deep.equal(['audit -6', 'audit -2']);
  });
});
