import { expect } from 'chai';
import type { ClaimRequest } from '../../../libs/store/orders/rate-limit.ts';
import { Stage } from './stage.ts';

const MANY = 10_000;

describe('the claims of the scheduler', () => {
  it('a claim fills the slots of an idle destination first, and the next is work ahead', async () => {
    const stage = new Stage({ concurrency: 4 });
    await stage.add({ 1: 100 });
    expect(stage.claims.map(([request]) => request?.orders)).to.deep.equal([4, 4]);
  });

  it('a claim follows while half of the work ahead still waits', async () => {
    const stage = new Stage({ concurrency: 4 });
    await stage.add({ 1: 100 });
    await stage.end(stage.pushes.slice(0, 1));
    expect(stage.claims).to.have.length(2);
    await stage.end(stage.pushes.slice(0, 1));
    expect(stage.claims).to.have.length(3);
  });

  it('all claims together hold no more orders than the worker may', async () => {
    const stage = new Stage({ concurrency: 100 });
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    stage.takesMs = 10;
    await stage.add(Object.fromEntries(ids.map((id) => [id, MANY])));
    for (let round = 0; round < 20; round += 1) {
      await stage.advance(10);
      const left = [...stage.due.values()].reduce((sum, due) => sum + due, 0);
      const ended = stage.begun.length - stage.pushes.length;
      expect(ids.length * MANY - left - ended).to.be.at.most(2000);
    }
  });

  it('a notification during a claim is served by the claim after it', async () => {
    const stage = new Stage();
    let goOn = (): void => undefined;
    stage.hold = new Promise((resolve) => (goOn = resolve));
    await stage.add({ 1: 1 });
    stage.due.set(2, 1);
    let isClaimed = false;
    void stage.scheduler.notify([2]).then(() => (isClaimed = true));
    await stage.settle();
    expect([stage.claims.length, isClaimed]).to.deep.equal([1, false]);
    goOn();
    await stage.settle();
    expect([stage.underWay(2), isClaimed]).to.deep.equal([1, true]);
  });

  it('a claim that failed is made again with the next notification', async () => {
    let claims: ClaimRequest[][] = [];
    const stage = new Stage({
      claim: (requests) => {
        claims.push(requests);
        return Promise.resolve(undefined);
      },
    });
    await stage.scheduler.notify([1]);
    claims = [];
    await stage.scheduler.notify([2]);
    expect(claims.flat().map(({ destinationId }) => destinationId)).to.have.members([1, 2]);
  });

  it('other workers are notified where more is left, ten times a second at most', async () => {
    const stage = new Stage({ concurrency: 2 });
    stage.takesMs = 10;
    await stage.add({ 1: 1000 });
    await stage.advance(1000);
    expect(stage.notified.length).to.be.within(5, 11);
  });

  it('a claim begins again by itself where the result says that the destination has work again', async () => {
    const stage = new Stage();
    await stage.add({ 1: 1 });
    stage.due.set(1, 1);
    await stage.end(stage.pushes, { settled: false });
    expect(stage.begun).to.have.length(2);
  });

  it('a destination that has no more due is not claimed again, and no worker is notified', async () => {
    const stage = new Stage({ concurrency: 2 });
    await stage.add({ 1: 2 });
    await stage.end(stage.pushes);
    expect([stage.claims.length, stage.notified]).to.deep.equal([1, []]);
  });
});
