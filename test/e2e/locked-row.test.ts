import { expect } from 'chai';
import type { Database } from '../../libs/db/connect.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

describe('a locked row', function () {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene({ environment: { CALL_TIMEOUT: '2000', LEASE: '4000' } });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  after(() => scene.close());

  it('a locked row keeps only its own results from being stored, as long as the lock lasts', async () => {
    const { sealift, driver } = scene;
    const others = createSyncDriver(sealift, 'cloud1-sm', 'others');
    await others.configure({ ...cloud1Settings(), secret_name_template: 'others/{{ .SecretPath }}' });
    for (const one of [driver, others])
      for (const secret of ['a', 'b']) {
        await one.write(secret, { v: 1 });
        await one.associate(secret);
        await one.settles(secret, 'SYNCED');
      }
    const [row] = await sealift.context.db('entries').where({ external_name: 'a' }).select('id');
    await sealift.context.db.transaction(async (lock) => {
      await lock('entries').where({ id: row.id }).forUpdate();
      for (const secret of ['a', 'b']) await driver.write(secret, { v: 2 });
      const isStored = async (): Promise<true> => {
        for (const one of [others, driver]) {
          const [record] = await one.records('b');
          expect(record).to.include({ sync_status: 'SYNCED', synced_version: 3 });
        }
        return true;
      };
      await eventually(isStored, { limitMs: 8000 });
      const [record] = await driver.records('a');
      expect(record?.synced_version).to.equal(2);
    });
    await driver.settles('a', 'SYNCED');
    expect((await driver.records('a'))[0]?.synced_version).to.equal(3);
  });

  const prod = (db: Database) => db('destinations').where({ name: 'prod' });
  const entriesNamedA = (db: Database) => db('entries').where({ external_name: 'a' });

  // Each function causes a claim that needs a row, and locks that row.
  const rows: Record<string, (db: Database, lock: Database) => Promise<unknown>> = {
    'an entry whose lease has ended': async (db, lock) => {
      await entriesNamedA(lock).forUpdate().select('id');
      await db('associations')
        .whereIn('id', entriesNamedA(db).select('association_id'))
        .update({ lease_token: 1, due_at: db.fn.now() });
      await scene.driver.write('a', { v: 'held' });
    },
    'a destination that failed and is to be tried': async (db, lock) => {
      await prod(db).update({ failures: 1, probe_at: db.fn.now() });
      await prod(lock).forUpdate().select('id');
      await scene.driver.write('b', { v: 'held' });
    },
    'a destination whose writes are rate limited': async (db, lock) => {
      await prod(db).update({ rate_limit_expires_at: new Date(Date.now() + 60_000) });
      await scene.driver.write('b', { v: 'seen by the worker' });
      await scene.driver.settles('b', 'SYNCED');
      await prod(lock).forUpdate().select('id');
      await scene.driver.write('b', { v: 'held' });
    },
  };

  for (const [name, hold] of Object.entries(rows)) {
    it(`orders of another destination are claimed while this row is locked: ${name}`, async () => {
      const { sealift, driver } = scene;
      const lock = await sealift.context.db.transaction();
      try {
        await hold(sealift.context.db, lock);
        const others = createSyncDriver(sealift, 'cloud1-sm', 'others');
        for (const value of ['first', 'second', 'third']) {
          const version = await others.write('c', { v: value });
          if (value === 'first') await others.associate('c');
          await eventually(async () => {
            const [record] = await others.records('c');
            expect(record).to.include({ sync_status: 'SYNCED', synced_version: version });
            return true;
          });
        }
      } finally {
        await lock.rollback();
      }
      // The inherited entry is confirmed two leases later.
      await driver.settles('a', 'SYNCED');
      await driver.settles('b', 'SYNCED');
    });
  }

  it('a locked name keeps no other name of its destination from being reserved', async () => {
    const { sealift, driver } = scene;
    const { db } = sealift.context;
    const named = { name: 'others', external_name: 'others/a' };
    const other = await db('entries AS e')
      .join('destinations AS d', 'd.id', 'e.destination_id')
      .where(named)
      .first('e.association_id', 'e.destination_id', 'e.container');
    const lock = await db.transaction();
    try {
      // Somebody reserves the name in a transaction that stays open.
      const name = { sub_key: 'held', external_name: 'new/a', name_key: 'new/a' };
      await lock('entries').insert({ ...other, ...name });
      expect((await driver.patch({ secret_name_template: 'new/{{ .SecretPath }}' })).status).to.equal(200);
      await eventually(async () => {
        const [record] = await driver.records('b');
        expect(record).to.include({ sync_status: 'SYNCED', external_name: 'new/b' });
        return true;
      });
      expect(scene.fake.entries().map((entry) => entry.name))
        .to.include('a')
        .and.not.include('new/a');
    } finally {
      await lock.rollback();
    }
    await driver.settles('a', 'SYNCED');
    await eventually(() => {
      const names = scene.fake.entries().map((entry) => entry.name);
      expect(names).to.include('new/a').and.not.include('a');
      return Promise.resolve(true);
    });
  });
});
