import { expect } from 'chai';
import type { PartitionedTable } from '../../libs/store/maintenance/partitions.ts';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import type { Resource } from '../api/policy-engine-versions/support.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, runNow, startMaintenance } from './support.ts';

const ROWS = {
  sync_history: `INSERT INTO sync_history (at, destination_id, mount_id, secret_path, sub_key, action, outcome, duration_ms)
    SELECT ?, 1, 1, ?, '', 'none', 'SYNCED', 1 FROM generate_series(1, ?)`,
  audit_events: `INSERT INTO audit_events (at, actor, namespace, action, path, outcome)
    SELECT ?, 'partitions', '', 'test', ?, 'succeeded' FROM generate_series(1, ?)`,
};

describe('the partitions of history and audit trail', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  beforeEach(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
  });
  afterEach(() => sealift.stop());

  const insert = (table: PartitionedTable, days: number, name: string, count = 1) =>
    services.db.raw(ROWS[table], [daysFromNow(days), name, count]);
  // As if so many rows had been written and deleted again.
  const draw = (table: PartitionedTable, ids: number) =>
    services.db.raw(
      "SELECT setval(s, coalesce(pg_sequence_last_value(s::regclass), 0) + ?) FROM pg_get_serial_sequence(?, 'id') s",
      [ids, table],
    );
  const partitionsOf = async (table: PartitionedTable): Promise<string[]> => {
    const { rows } = await services.db.raw<{ rows: { name: string }[] }>(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ?::regclass ORDER BY 1',
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const homes = async (table: PartitionedTable): Promise<string[]> => {
    const name = table === 'sync_history' ? 'secret_path' : 'path';
    const { rows } = await services.db.raw<{ rows: { home: string }[] }>(
      `SELECT DISTINCT ${name} || ' in ' || tableoid::regclass AS home FROM ${table}
       WHERE ${table === 'sync_history' ? 'true' : "actor = 'partitions'"} ORDER BY 1`,
    );
    return rows.map(({ home }) => home);
  };
  const fill = async (table: PartitionedTable, days: number, name: string) => {
    await insert(table, days, name);
    await draw(table, 300_000);
    await insert(table, days, name);
  };

  for (const [table, span, kept] of [
    ['sync_history', 9, 90],
    ['audit_events', 37, 365],
  ] as const)
    it(`retention drops partitions of ${table} that are old as a whole`, async () => {
      await fill(table, 0, 'first');
      await runNow(services, 'apply-retention', { now: daysFromNow(span - 1.5) });
      expect(await partitionsOf(table)).to.have.length(2);
      await runNow(services, 'apply-retention', { now: daysFromNow(span) });
      await fill(table, 2 * span, 'second');
      await runNow(services, 'apply-retention', { now: daysFromNow(3 * span + 1) });
      await insert(table, 3 * span + 1, 'third');
      const [first, second, third] = await partitionsOf(table);
      expect(await homes(table)).to.deep.equal([
        `first in ${first}`,
        `second in ${second}`,
        `third in ${third}`,
      ]);
      const summary = await runNow(services, 'apply-retention', { now: daysFromNow(kept + 1) });
      expect(summary).to.include({ partitions: 1 });
      expect(await homes(table)).to.deep.equal([`second in ${second}`, `third in ${third}`]);
    });

  it('rows of a partition that spans more than its share are deleted singly', async () => {
    await insert('sync_history', -150, 'older by far');
    await fill('sync_history', -91, 'older');
    await insert('sync_history', 0, 'new');
    const summary = await runNow(services, 'apply-retention');
    expect(summary).to.include({ history: 1, partitions: 0 });
    expect(await homes('sync_history')).to.deep.equal(['new in sync_history_0', 'older in sync_history_0']);
  });

  it('a table in use keeps its partition until it is free, and holds up nobody meanwhile', async () => {
    await fill('sync_history', 0, 'old');
    await runNow(services, 'apply-retention', { now: daysFromNow(10) });
    await insert('sync_history', 95, 'new');
    const reader = await services.db.transaction();
    await reader('sync_history').first();
    const running = runNow(services, 'apply-retention', { now: daysFromNow(92) });
    let longest = 0;
    let waited = 0;
    for (let written = 0; written < 40; written += 1) {
      const begun = performance.now();
      await insert('sync_history', 95, 'new');
      const took = performance.now() - begun;
      longest = Math.max(longest, took);
      if (took > 50) waited += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await partitionsOf('sync_history')).to.include('sync_history_0');
    await reader.rollback();
    expect(await running).to.include({ partitions: 1 });
    expect(waited, 'the job never wanted the table').to.be.greaterThan(0);
    expect(longest).to.be.below(2000);
    expect(await services.db('sync_history').where({ secret_path: 'new' })).to.have.length(41);
  });

  it('an id beyond all partitions is written, and the next run starts a partition for it', async () => {
    await draw('audit_events', 7_000_000_000);
    await insert('audit_events', 0, 'far');
    expect(await homes('audit_events')).to.deep.equal(['far in audit_events_2']);
    await runNow(services, 'apply-retention');
    await insert('audit_events', 0, 'later');
    expect(await homes('audit_events')).to.deep.equal(['far in audit_events_2', 'later in audit_events_2']);
    expect(await partitionsOf('audit_events')).to.deep.equal(['audit_events_2', 'audit_events_8']);
  });

  it('the trail is read across partitions, each entry once', async () => {
    for (const name of ['1', '2', '3']) {
      await insert('audit_events', 0, `page/${name}`, 3);
      await services.db.raw("SELECT start_partition('audit_events')");
    }
    const read: string[] = [];
    let next: string | null = '99999999999';
    while (next !== null) {
      const path: string = `/api/v2/admin/audit-events?filter%5Bactor%5D=partitions&page%5Bsize%5D=2&page%5Bafter%5D=${next}`;
      const { body } = await sealift.client.get(path);
      read.push(...body.data.map((entry: Resource) => String(entry.attributes['path'])));
      next = body.meta.pagination['next-after'];
    }
    expect(read).to.deep.equal(['3', '3', '3', '2', '2', '2', '1', '1', '1'].map((name) => `page/${name}`));
  });
});
