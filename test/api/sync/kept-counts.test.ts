import { expect } from 'chai';
import pg from 'pg';
import type { Database } from '../../../libs/db/connect.ts';
import { createQueueCapacity } from '../../../libs/store/counts/queue-capacity.ts';
import { readBacklog } from '../../../libs/store/counts/backlog.ts';
import type { LinkAnswer } from '../../../services/api/contract/associations.ts';
import type { MaintenanceServices } from '../../../services/key-maintenance/job.ts';
import { runNow, startMaintenance } from '../../key-maintenance/support.ts';
import { capture } from '../../db/plans/capture.ts';
import { costOf } from '../../db/plans/explain.ts';
import { insertAssociations } from '../../support/associations.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';
import { createSyncDriver } from '../../support/sync-driver.ts';

const SUMMARY = '/v1/sys/sync/summary';
const LINKS = 60;

// What workers, people and jobs do to associations and entries, each with rows that a random number picks.
const CHANGES = [
  `UPDATE associations SET generation = generation + 1, due_at = now(), attempts = 0 WHERE id % 7 = :pick % 7`,
  `UPDATE associations SET lease_token = 5, due_at = now() + interval '1 minute' WHERE due_at <= now() AND id % 3 = :pick % 3`,
  `UPDATE associations SET lease_token = NULL, due_at = NULL, synced_generation = generation, failure = NULL, attempts = 0
   WHERE lease_token IS NOT NULL AND id % 2 = :pick % 2`,
  `UPDATE associations SET lease_token = NULL, due_at = now() + interval '1 hour', attempts = attempts + 1,
     failure = jsonb_build_object('class', 'CLIENT_SIDE_ERROR', 'code', 'code_' || :pick % 2, 'message', '')
   WHERE lease_token IS NOT NULL AND id % 2 = :pick % 2`,
  `UPDATE associations SET due_at = now() - interval '1 minute' WHERE due_at > now() AND id % 5 = :pick % 5`,
  `UPDATE associations SET removing = NOT removing WHERE id % 11 = :pick % 11`,
  `INSERT INTO entries (association_id, destination_id, container, sub_key, external_name)
   SELECT id, destination_id, 'c', :pick::text, secret_path FROM associations WHERE id % 4 = :pick % 4 ON CONFLICT DO NOTHING`,
  `UPDATE entries SET status = 'SYNCED', cause = NULL WHERE id % 3 = :pick % 3`,
  `UPDATE entries SET status = 'CLIENT_SIDE_ERROR', cause = '{"class": "CLIENT_SIDE_ERROR", "code": "taken", "message": ""}'
   WHERE id % 5 = :pick % 5`,
  `UPDATE entries SET drift = CASE WHEN drift IS NULL THEN '{"class": "DRIFTED", "code": "gone_outside", "message": ""}'::jsonb END
   WHERE id % 6 = :pick % 6`,
  `DELETE FROM entries WHERE id % 9 = :pick % 9`,
  `DELETE FROM associations WHERE id % 40 = :pick % 40`,
];

const nameOf = ({ secret_name: name }: LinkAnswer): string => name;

describe('the kept counts of associations', () => {
  let scene: Cloud1Scene;
  let services: MaintenanceServices;
  let db: Database;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    services = await startMaintenance(scene.sealift);
    db = scene.sealift.context.db;
    const destination: { id: number } = await db('destinations').first('id');
    const mount: { id: number } = await db('mounts').first('id');
    const paths = Array.from({ length: LINKS }, (_, index) => `app/${index}`);
    const columns = { destination_id: destination.id, mount_id: mount.id };
    await insertAssociations(
      db,
      paths.map((path) => ({ ...columns, secret_path: path })),
    );
  });

  afterEach(() => scene.close());

  const counts = async (): Promise<Record<string, number>> =>
    (await scene.sealift.client.get(SUMMARY)).body.data.by_status;
  const check = (): Promise<unknown> => runNow(services, 'check-counts');

  it('whatever happens to associations and entries, the counts stay those of the rows', async () => {
    let pick = 20_261_128;
    for (let step = 0; step < 150; step += 1) {
      pick = (pick * 48_271) % 2_147_483_647;
      await db.raw(CHANGES[pick % CHANGES.length] ?? '', { pick });
      if (step % 40 === 0) await runNow(services, 'keep-counts');
    }
    expect(await check()).to.deep.equal({ associations: 0, counts: 0, problems: 0 });
    await runNow(services, 'keep-counts');
    expect(await check()).to.deep.equal({ associations: 0, counts: 0, problems: 0 });
  });

  it('the counts of a destination that is paused are those of its rows too', async () => {
    const { driver, sealift } = scene;
    for (let pick = 0; pick < 3 * CHANGES.length; pick += 1)
      await db.raw(CHANGES[pick % CHANGES.length] ?? '', { pick });
    await db('entries').update({ drift: { class: 'DRIFTED', code: 'changed_outside', message: '' } });
    await db('entries').whereRaw('id % 2 = 0').update({ status: 'SYNCED', cause: null });
    expectOk(await sealift.client.post(`${driver.path}/pause`, {}));
    const { rows } = expectOk(await sealift.client.get(`${driver.path}/associations/rows?limit=200`));
    const found: Record<string, number> = {};
    for (const { sync_status: status } of rows) found[status] = (found[status] ?? 0) + 1;
    expect(found).to.include.keys('DRIFTED', 'CLIENT_SIDE_ERROR', 'PENDING');
    expect(await counts()).to.deep.equal(found);
  });

  it('a list of links by status has those whose rows have it, whatever happened to them', async () => {
    const { client } = scene.sealift;
    const byStatus = async (): Promise<Map<string, Set<string>>> => {
      const { rows } = expectOk(await client.get(`${scene.driver.path}/associations/rows?limit=200`));
      const found = new Map<string, Set<string>>();
      for (const { sync_status: status, secret_name: name } of rows)
        found.set(status, (found.get(status) ?? new Set()).add(name));
      return found;
    };
    const seen = new Set<string>();
    let pick = 31_415_926;
    for (let step = 0; step < 60; step += 1) {
      pick = (pick * 48_271) % 2_147_483_647;
      await db.raw(CHANGES[pick % CHANGES.length] ?? '', { pick });
      if (step === 40) expectOk(await client.post(`${scene.driver.path}/pause`, {}));
      if (step % 10 > 0) continue;
      // Statements by hand leave what no worker does, and do not see to what an association says of its entries.
      await db('entries').where({ status: 'PENDING' }).update({ status: 'SYNCED' });
      await db('associations').where({ removing: true, due_at: null }).update({ due_at: new Date() });
      await check();
      for (const [status, names] of await byStatus()) {
        seen.add(status);
        for (const sort of ['destination', 'secret']) {
          const { links } = expectOk(await client.get(`/v1/sys/sync/links?status=${status}&sort=${sort}`));
          expect(new Set(links.map(nameOf)), `${status} by ${sort}`).to.deep.equal(names);
        }
      }
    }
    expect([...seen]).to.include.members(['SYNCED', 'DRIFTED', 'CLIENT_SIDE_ERROR', 'PENDING', 'SYNCING']);
  });

  it('transactions at the same time, some of them rolled back, keep the counts those of the rows', async () => {
    const changeAtRandom = async (seed: number): Promise<void> => {
      let pick = seed;
      for (let step = 0; step < 30; step += 1) {
        pick = (pick * 48_271) % 2_147_483_647;
        const change = db.transaction(async (transaction) => {
          // Who waits longer is rolled back too.
          await transaction.raw(`SET LOCAL lock_timeout = '50ms'`);
          await transaction.raw(CHANGES[pick % CHANGES.length] ?? '', { pick });
          if (pick % 5 === 0) throw new Error('rolled back');
        });
        await change.catch(() => undefined);
        if (seed === 1 && step % 10 === 0) await runNow(services, 'keep-counts');
      }
    };
    await Promise.all([1, 22, 333, 4444].map(changeAtRandom));
    expect(await check()).to.deep.equal({ associations: 0, counts: 0, problems: 0 });
  });

  it('many associations that are triggered anew after a failure hide it in the first seconds', async () => {
    await db.raw(
      `INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, due_at, failure)
       SELECT a.namespace_id, a.destination_id, a.mount_id, 'more/' || n, now(), '{"class": "CLIENT_SIDE_ERROR", "code": "code", "message": ""}'
       FROM (SELECT * FROM associations LIMIT 1) a, generate_series(1, 1200) n`,
    );
    expect(await counts()).to.deep.equal({ PENDING: 1200 + LINKS });
    await db.raw(`UPDATE associations SET due_at = now() - interval '1 minute'`);
    expect(await counts()).to.deep.equal({ CLIENT_SIDE_ERROR: 1200, PENDING: LINKS });
  });

  it('a problem of many associations is shown without a look at each of them', async () => {
    await db.raw(
      `INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, attempts, due_at, failure)
       SELECT a.namespace_id, a.destination_id, a.mount_id, 'more/' || n, 1, now() + interval '1 hour',
         '{"class": "CLIENT_SIDE_ERROR", "code": "code", "message": ""}'
       FROM (SELECT * FROM associations LIMIT 1) a, generate_series(1, 2000) n`,
    );
    await runNow(services, 'keep-counts');
    await db.raw('ANALYZE associations');
    const statements = await capture(async () => {
      expect(await counts()).to.deep.equal({ CLIENT_SIDE_ERROR: 2000, PENDING: LINKS });
    });
    const client = new pg.Client({ connectionString: scene.sealift.environment['DATABASE_URL'] });
    await client.connect();
    const costs = [];
    for (const statement of statements) costs.push(await costOf(client, statement));
    await client.end();
    expect(costs.filter(({ rows }) => rows > 500)).to.deep.equal([]);
  });

  it('a count that is wrong is reported by a job, and right afterwards', async () => {
    await runNow(services, 'keep-counts');
    await db('association_counts').where({ kind: 'due|||' }).update({ count: 7 });
    expect(await counts()).to.deep.equal({ PENDING: 7, SYNCED: LINKS - 7 });
    const found: Record<string, unknown>[] = [];
    expect(await runNow(services, 'check-counts', { found })).to.deep.equal({
      associations: 0,
      counts: 1,
      problems: 1,
    });
    expect(found).to.deep.equal([{ associations: 0, counts: 1 }]);
    expect(await counts()).to.deep.equal({ PENDING: LINKS });
  });

  it('the total of a namespace follows destinations and links that come and go', async () => {
    const totals = async (): Promise<[number, number]> => {
      const { total, destination_count: destinations } = (await scene.sealift.client.get(SUMMARY)).body.data;
      return [destinations, total];
    };
    const other = createSyncDriver(scene.sealift, 'cloud1-sm', 'other');
    await other.configure(cloud1Settings());
    expect(await totals()).to.deep.equal([2, LINKS]);
    await scene.driver.write('db', { v: 1 });
    await other.associate('db');
    expect(await totals()).to.deep.equal([2, LINKS + 1]);
    await runNow(services, 'keep-counts');
    expect(await totals()).to.deep.equal([2, LINKS + 1]);
    await scene.sealift.client.delete(`${scene.driver.path}?force_delete=true`);
    expect(await totals()).to.deep.equal([1, 1]);
    await db('namespace_counts').update({ links: 7 });
    expect((await totals())[1]).to.not.equal(1);
    expect(await check()).to.include({ counts: 1 });
    expect(await totals()).to.deep.equal([1, 1]);
  });

  it('an association that says the wrong thing of its entries is mended by the same job', async () => {
    await db('associations').update({ due_at: null, synced_generation: 1 });
    expect(await counts()).to.deep.equal({ UNSYNCED: LINKS });
    await db('associations').where('id', '<=', 2).update({ entries_status: 'DRIFTED' });
    expect(await check()).to.include({ problems: 1 });
    expect(await counts()).to.deep.equal({ UNSYNCED: LINKS });
  });

  it('a name that is reserved for a first push is nothing that the job has to mend', async () => {
    await db.raw(
      `INSERT INTO entries (association_id, destination_id, container, sub_key, external_name)
       SELECT id, destination_id, 'c', '', secret_path FROM associations`,
    );
    expect(await check()).to.deep.equal({ associations: 0, counts: 0, problems: 0 });
  });

  it('a link that waits for its first push, or is unlinked before it, is nothing to mend either', async () => {
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    scene.fake.plant({ name: 'new', value: 'of somebody else' });
    await scene.driver.write('new', { user: 'app' });
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
    for (const call of ['set', 'remove']) {
      await scene.sealift.client.post(`${scene.driver.path}/associations/${call}`, {
        mount: 'secret',
        secret_name: 'new',
      });
      expect(await check(), call).to.deep.equal({ associations: 0, counts: 0, problems: 0 });
    }
  });

  it('an association that becomes due by itself counts as due from that moment on', async () => {
    await db.raw(
      `UPDATE associations SET due_at = now() + interval '300 milliseconds', synced_generation = 1`,
    );
    expect(await counts()).to.deep.equal({ UNSYNCED: LINKS });
    await db.raw('SELECT pg_sleep(0.4)');
    expect(await counts()).to.deep.equal({ PENDING: LINKS });
    expect((await readBacklog(db))[0]).to.include({ due: LINKS });
    expect(await runNow(services, 'keep-counts')).to.include({ ripe: LINKS });
    expect(await counts()).to.deep.equal({ PENDING: LINKS });
    expect((await readBacklog(db))[0]).to.include({ due: LINKS });
  });

  it('the backlog and the capacity of the queue count what is due, and the backlog no lease', async () => {
    await db.raw(
      `UPDATE associations SET lease_token = 1, due_at = now() + interval '1 minute' WHERE id % 2 = 0`,
    );
    const [backlog] = await readBacklog(db, 'cloud1-sm');
    expect(backlog).to.include({ due: LINKS / 2 });
    expect(await createQueueCapacity().isExceeded(db, LINKS)).to.equal(false);
    expect(await createQueueCapacity().isExceeded(db, LINKS - 1)).to.equal(true);
  });
});
