import { expect } from 'chai';
import { claimWork } from '../../libs/store/orders/claim.ts';
import { create, destinationPath } from '../api/sync/support.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('several destinations at their rate limit', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('a locked destination gets no reservation now, and the others get theirs', async () => {
    const { client, context } = sealift;
    const { db } = context;
    await create(client, destinationPath('first'));
    await create(client, destinationPath('second'));
    await db('destinations').update({ rate_limit_expires_at: db.raw("now() + interval '1 minute'") });
    const [first, second]: number[] = await db('destinations').orderBy('id').pluck('id');
    const requests = [second, first].map((id) => ({
      destinationId: Number(id),
      orders: 1,
      isRateLimited: true,
    }));
    const claim = () =>
      claimWork(db, requests, { type: 'cloud1-sm', leaseMs: 1000, rateLimit: { intervalMs: 20 } });
    const other = await db.transaction();
    try {
      await other('destinations').where({ id: first }).forUpdate().select('id');
      const { reservations } = await claim();
      expect(reservations.get(Number(first))).to.include({ writes: 0 });
      expect(reservations.get(Number(first))?.againMs).to.be.above(0);
      expect(reservations.get(Number(second))).to.include({ writes: 1 });
    } finally {
      await other.rollback();
    }
    expect((await claim()).reservations.get(Number(first))).to.include({ writes: 1 });
  });
});
