import { expect } from 'chai';
import type { OrderResult } from '../../../libs/store/orders/result.ts';
import { Stage } from './stage.ts';

const FAILED = { destinationFailed: true, settled: false };
const MANY = 10_000;

describe('the scheduler', () => {
  it('a destination has no more pushes under way than it has concurrency slots', async () => {
    const stage = new Stage({ concurrency: 4 });
    await stage.add({ 1: 20 });
    expect(stage.underWay(1)).to.equal(4);
    await stage.end(stage.pushes.slice(0, 2));
    expect(stage.underWay(1)).to.equal(4);
    expect(stage.begun).to.have.length(6);
  });

  it('one call to a store with batches counts as one slot, however many orders it carries', async () => {
    const stage = new Stage({ concurrency: 2, batchSize: 10 });
    await stage.add({ 1: 100 });
    expect(stage.pushes.map(({ orders }) => orders)).to.deep.equal([10, 10]);
  });

  it('four pushes begin in one turn of the event loop, and the next four in the next turn', async () => {
    const stage = new Stage({ concurrency: 10 });
    stage.due.set(1, 10);
    void stage.scheduler.notify([1]);
    await stage.flush();
    expect(stage.begun).to.have.length(4);
    stage.clock.turn();
    await stage.flush();
    expect(stage.begun).to.have.length(8);
  });

  it('destinations take turns, so that one with many free slots holds up none that comes later', async () => {
    const stage = new Stage({ concurrency: 12 });
    stage.due.set(1, 12).set(2, 8).set(3, 8);
    void stage.scheduler.notify([1]);
    await stage.flush();
    void stage.scheduler.notify([2, 3]);
    await stage.settle();
    const turns = stage.begun.map(({ id }) => id);
    expect(turns.slice(0, 4)).to.deep.equal([1, 1, 1, 1]);
    for (let round = 4; round < 28; round += 3)
      expect(turns.slice(round, round + 3)).to.have.members([1, 2, 3]);
  });

  it('one destination is pushed on while another one hangs with a long backlog', async () => {
    const stage = new Stage({ concurrency: 4 });
    await stage.add({ 1: MANY });
    await stage.add({ 2: 8 });
    await stage.end(stage.pushes.filter(({ id }) => id === 2));
    await stage.end(stage.pushes.filter(({ id }) => id === 2));
    expect(stage.begun.filter(({ id }) => id === 2)).to.have.length(8);
    expect(stage.underWay(1)).to.equal(4);
  });

  it('no more than twice the shared calls are under way, and each destination still has its turn', async () => {
    const stage = new Stage({ concurrency: 4 });
    const ids = Array.from({ length: 600 }, (_, index) => index + 1);
    await stage.add(Object.fromEntries(ids.map((id) => [id, 2])));
    expect(stage.pushes).to.have.length(512);
    while (stage.pushes.length > 0) await stage.end(stage.pushes);
    expect(new Set(stage.begun.map(({ id }) => id)).size).to.equal(600);
    expect(stage.begun).to.have.length(1200);
  });
});

describe('a destination that fails as a whole', () => {
  it('a failing destination is tried with one push at a time, after pauses, until one succeeds', async () => {
    const stage = new Stage({ concurrency: 4 });
    await stage.add({ 1: 50 });
    await stage.end(stage.pushes, FAILED);
    for (let failure = 0; failure < 3; failure += 1) {
      await stage.advance(40_000);
      await stage.scheduler.notify([1]);
      await stage.settle();
      expect(stage.underWay(1)).to.equal(1);
      await stage.end(stage.pushes, FAILED);
    }
    await stage.advance(40_000);
    await stage.scheduler.notify([1]);
    await stage.settle();
    await stage.end(stage.pushes, {});
    expect(stage.underWay(1)).to.equal(4);
  });

  it('a failing destination has nothing claimed during its pause', async () => {
    const stage = new Stage({ concurrency: 1 });
    await stage.add({ 1: 1 });
    for (let failure = 0; failure < 12; failure += 1) {
      await stage.end(stage.pushes, FAILED);
      await stage.advance(40_000);
      stage.due.set(1, 1);
      await stage.scheduler.notify([1]);
      await stage.settle();
    }
    await stage.end(stage.pushes, FAILED);
    const { length } = stage.claims;
    await stage.scheduler.notify([1]);
    expect(stage.claims).to.have.length(length);
  });

  it('failing destinations take little from the others, however many they are', async () => {
    const stage = new Stage({ concurrency: 100 });
    const ids = Array.from({ length: 200 }, (_, index) => index + 1);
    await stage.add(Object.fromEntries(ids.map((id) => [id, 1])));
    await stage.end(stage.pushes, FAILED);
    await stage.add({ 999: MANY });
    expect(stage.underWay(999)).to.equal(100);
  });

  it('a destination that has just failed as a whole has nothing claimed until that is stored', async () => {
    const stage = new Stage({ concurrency: 1 });
    await stage.add({ 1: 1 });
    await stage.end(stage.pushes, { finding: { failure: {} } as OrderResult['finding'] });
    await stage.add({ 1: 1 });
    await stage.advance(299);
    expect(stage.underWay(1)).to.equal(0);
    await stage.advance(1);
    expect(stage.underWay(1)).to.equal(1);
  });

  it('a failing destination is tried at once after it was changed, whatever its pause', async () => {
    const stage = new Stage({ concurrency: 1 });
    await stage.add({ 1: 1 });
    await stage.end(stage.pushes, { throttleMs: 3_600_000 });
    stage.due.set(1, 1);
    stage.revisions.set(1, 2);
    await stage.add({ 1: 1 });
    expect(stage.pushes.map(({ lease }) => lease.mayCall())).to.deep.equal([true]);
  });

  it('a pause ends too where a claim is the first to see that the destination was changed', async () => {
    const stage = new Stage({ concurrency: 1 });
    await stage.add({ 1: 1 });
    await stage.end(stage.pushes, { throttleMs: 3_600_000 });
    let goOn = (): void => undefined;
    stage.hold = new Promise((resolve) => (goOn = resolve));
    await stage.add({ 1: 1 });
    stage.revisions.set(1, 2);
    goOn();
    await stage.settle();
    expect(stage.pushes.map(({ lease }) => lease.mayCall())).to.deep.equal([true]);
  });
});

describe('a destination whose store limits its rate', () => {
  const reservation = { writes: 3, startMs: 100, intervalMs: 50, againMs: 200 };

  it('a rate-limited store is written to at the reserved times', async () => {
    const stage = new Stage({ concurrency: 10 });
    stage.reservations.set(1, reservation);
    const start = stage.clock.now();
    await stage.add({ 1: 10 });
    expect(stage.begun).to.deep.equal([]);
    await stage.advance(200);
    expect(stage.begun.map(({ at }) => at - start)).to.deep.equal([100, 150, 200]);
    expect(stage.claims).to.have.length(2);
  });

  it('a rate-limited store is not written to faster to make up for a delay', async () => {
    const stage = new Stage({ concurrency: 1 });
    stage.reservations.set(1, reservation);
    const start = stage.clock.now();
    await stage.add({ 1: 3 });
    await stage.advance(300);
    await stage.end(stage.pushes);
    await stage.advance(300);
    await stage.end(stage.pushes);
    await stage.advance(300);
    const times = stage.begun.map(({ at }) => at - start);
    expect(times[1]).to.equal(300);
    expect(times[2]).to.be.at.least(345);
  });

  it('a rate-limited store does not delay the writes of another destination', async () => {
    const stage = new Stage();
    stage.reservations.set(1, { ...reservation, startMs: 10_000 });
    await stage.add({ 1: 3, 2: 3 });
    expect(stage.underWay(2)).to.equal(3);
  });

  it('claimed orders are handed back once the store asked to wait', async () => {
    const stage = new Stage({ concurrency: 1 });
    await stage.add({ 1: 3 });
    const [first] = stage.pushes;
    expect(first?.lease.mayCall()).to.equal(true);
    await stage.end(stage.pushes, { throttleMs: 5000 });
    expect(stage.pushes[0]?.lease.mayCall()).to.equal(false);
    await stage.advance(5001);
    expect(stage.pushes[0]?.lease.mayCall()).to.equal(true);
  });
});

describe('the drain of the scheduler', () => {
  it('a drained scheduler waits for pushes in flight and claims nothing new', async () => {
    const stage = new Stage({ concurrency: 2 });
    await stage.add({ 1: 2 });
    let isDrained = false;
    void stage.scheduler.drain().then(() => (isDrained = true));
    await stage.add({ 2: 5 });
    expect([stage.underWay(2), isDrained]).to.deep.equal([0, false]);
    await stage.end(stage.pushes, { settled: false });
    expect(isDrained).to.equal(true);
    expect(stage.due.get(2)).to.equal(5);
  });

  it('a drained scheduler begins orders that wait for a reserved time at once, to hand them back', async () => {
    const stage = new Stage({ concurrency: 10 });
    stage.reservations.set(1, { writes: 3, startMs: 60_000, intervalMs: 60_000, againMs: 60_000 });
    await stage.add({ 1: 3 });
    const drained = stage.scheduler.drain();
    await stage.settle();
    expect(stage.underWay(1)).to.equal(3);
    await stage.end(stage.pushes, { settled: false });
    await drained;
  });
});
