import { expect } from 'chai';
import { claimWork } from '../../libs/store/orders/claim.ts';
import { create, at } from '../api/sync/support.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('several destinations whose writes are spaced', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('are taken in one order by all workers, whatever order each serves them in', async () => {
    const { client, context } = sealift;
    const { db } = context;
    await create(client, at('first'));
    // So many that Postgres looks for those it is asked for, one after the other.
    await db.raw(`INSERT INTO destinations (namespace_id, type, name, settings, place, granularity, secret_name_template)
      SELECT namespace_id, type, 'd' || n, settings, place, granularity, secret_name_template
      FROM destinations, generate_series(1, 2000) n`);
    await db('destinations').update({ pace_expires_at: db.raw("now() + interval '1 minute'") });
    await db.raw('ANALYZE destinations');
    const [first, second]: number[] = await db('destinations').orderBy('id').limit(2).pluck('id');
    const other = await db.transaction();
    await other('destinations').where({ id: first }).forUpdate();
    const demands = [second, first].map((id) => ({ destinationId: Number(id), slots: 1, paced: true }));
    const claim = claimWork(db, demands, { type: 'cloud1-sm', leaseMs: 1000, pace: { intervalMs: 20 } });
    await eventually(async () => {
      const { rows } = await db.raw(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    // Held by the claim, this would be the other half of a deadlock.
    await other('destinations').where({ id: second }).forUpdate().noWait();
    await other.commit();
    expect([...(await claim).paced.keys()]).to.have.members([first, second]);
  });
});
