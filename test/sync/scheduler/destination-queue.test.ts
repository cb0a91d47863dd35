import { expect } from 'chai';
import { DestinationQueue, shareOut, type Batch } from '../../../libs/sync/scheduler/destination-queue.ts';

const limits = { concurrency: 4, batchSize: 1 };
const share = { orders: 1000, calls: 100 };
const batch = (): Batch => ({ plans: [{} as never], deadline: 0, startAt: 0, trace: undefined });

/** Claims this many orders and begins `begun` of them. */
function fill(queue: DestinationQueue, orders: number, begun: number, now: number): Batch[] {
  queue.expect(orders, { reservation: undefined }, now);
  for (let order = 0; order < orders; order += 1) queue.add(batch());
  return Array.from({ length: begun }, () => queue.begin(now)).flatMap((one) => one ?? []);
}

/** A queue that has pushed one order per millisecond for half a second, with four in flight. */
function busyQueue(waiting = 0): DestinationQueue {
  const queue = new DestinationQueue(1, limits);
  queue.hasWork = true;
  fill(queue, 4 + waiting, 4, 1000);
  for (let now = 1001; now <= 1500; now += 1) queue.note(1, false, now);
  return queue;
}

function endAll(queue: DestinationQueue): void {
  for (let order = 0; order < 4; order += 1) queue.end(batch());
}

describe('the claims of a destination queue', () => {
  it('an idle queue first claims enough to fill its slots, then 200 ms of work ahead', () => {
    const queue = busyQueue();
    expect(queue.claimSize(share, 1500)).to.be.within(190, 210);
    endAll(queue);
    expect(queue.claimSize(share, 1500)).to.equal(4);
  });

  it('a busy queue claims more when half of the work ahead is gone', () => {
    expect(busyQueue(150).claimSize(share, 1500)).to.equal(0);
    expect(busyQueue(95).claimSize(share, 1500)).to.be.within(95, 115);
  });

  it('a queue that had no work for an hour claims as much as before', () => {
    const queue = busyQueue();
    endAll(queue);
    const later = 1500 + 3_600_000;
    fill(queue, 4, 4, later);
    queue.note(1, false, later + 1);
    expect(queue.claimSize(share, later + 1)).to.be.within(190, 210);
  });

  it('a queue that gets quicker claims more, however many claims found nothing meanwhile', () => {
    const queue = busyQueue();
    endAll(queue);
    for (let minute = 1; minute <= 60; minute += 1)
      queue.expect(0, { reservation: undefined }, 1500 + minute * 60_000);
    const later = 1500 + 3_600_000;
    fill(queue, 4, 4, later);
    for (let now = later + 1; now <= later + 500; now += 1) queue.note(1.5, false, now);
    expect(queue.claimSize(share, later + 500)).to.be.within(270, 310);
  });

  it('no queue claims more than its share of the worker', () => {
    expect(busyQueue().claimSize({ orders: 10, calls: 2 }, 1500)).to.equal(6);
  });

  it('a queue without work claims nothing', () => {
    const queue = busyQueue();
    queue.hasWork = false;
    expect(queue.claimSize(share, 1500)).to.equal(0);
  });
});

describe('the share of a destination queue', () => {
  const queues = (busy: number, failing: number): DestinationQueue[] =>
    Array.from({ length: busy + failing }, (_, index) => {
      const queue = new DestinationQueue(index, limits);
      queue.hasWork = true;
      if (index >= busy) queue.note(1, true, 0);
      return queue;
    });

  it('a queue that is alone has all that the worker has', () => {
    expect(shareOut(queues(1, 0), 4)).to.deep.equal({ orders: 2000, calls: 256 });
  });

  it('several queues have an equal part each, and one at least', () => {
    expect(shareOut(queues(4, 0), 4)).to.deep.equal({ orders: 500, calls: 64 });
    expect(shareOut(queues(5000, 0), 4)).to.deep.equal({ orders: 1, calls: 1 });
  });

  it('queues that do not fail have half of the worker at least', () => {
    expect(shareOut(queues(1, 10), 4)).to.deep.equal({ orders: 1990, calls: 246 });
    expect(shareOut(queues(1, 5000), 4)).to.deep.equal({ orders: 1000, calls: 128 });
  });
});
