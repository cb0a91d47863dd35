import { expect } from 'chai';
import { claimWork } from '../../libs/store/orders/claim.ts';
import { create, destinationPath, expectOk, putSecret, set } from '../api/sync/support.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('a claim of some of the work of several destinations', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('a claim names the destinations that have more due than was asked for', async () => {
    const { client, context } = sealift;
    const { db } = context;
    const secrets = { few: ['a', 'b'], many: ['c', 'd', 'e'] };
    for (const [name, paths] of Object.entries(secrets)) {
      await create(client, destinationPath(name));
      for (const path of paths) {
        await putSecret(client, path);
        expectOk(await set(client, destinationPath(name), path));
      }
    }
    const [few, many]: number[] = await db('destinations').orderBy('name').pluck('id');
    const requests = [few, many].map((id) => ({
      destinationId: Number(id),
      orders: 2,
      isRateLimited: false,
    }));
    const claim = () => claimWork(db, requests, { type: 'cloud1-sm', leaseMs: 60_000 });
    const first = await claim();
    expect([first.orders.length, [...first.more]]).to.deep.equal([4, [many]]);
    const second = await claim();
    expect([second.orders.length, [...second.more]]).to.deep.equal([1, []]);
  });
});
