import { expect } from 'chai';
import { DestinationQueue, shareOut, type Batch } from '../../../libs/sync/scheduler/destination-queue.ts';

const limits = { concurrency: 4, batchSize: 1 };
const share = { orders: 1000, calls: 100 };
const batch = (): Batch => ({ plans: [{} as never], deadline: 0, startAt: 0, trace: undefined });

/** Claims this many orders and begins `begun` of them. */
function fill(queue: DestinationQueue, orders: number, begun: number, now: number): Batch[] {
  queue.expect(orders, { reservation: undefined });
  for (let order = 0; order < orders; order += 1) queue.add(batch());
  return Array.from({ length: begun }, () => queue.begin(now)).flatMap((one) => one ?? []);
}

/** A queue with four orders in flight. */
function busyQueue(waiting = 0): DestinationQueue {
  const queue = new DestinationQueue(1, limits);
  queue.hasWork = true;
  fill(queue, 4 + waiting, 4, 1000);
  return queue;
}

function endAll(queue: DestinationQueue): void {
  for (let order = 0; order < 4; order += 1) queue.end(batch());
}

describe('the claims of a destination queue', () => {
  it('an idle queue first claims enough to fill its slots, then one order ahead for each', () => {
    const queue = busyQueue();
    expect(queue.claimSize(share, 1500)).to.equal(4);
    endAll(queue);
    expect(queue.claimSize(share, 1500)).to.equal(4);
  });

  it('a busy queue claims more when half of the work ahead is gone', () => {
    expect(busyQueue(3).claimSize(share, 1500)).to.equal(0);
    expect(busyQueue(2).claimSize(share, 1500)).to.equal(2);
  });

  it('no queue claims more than its share of the worker', () => {
    expect(busyQueue().claimSize({ orders: 6, calls: 4 }, 1500)).to.equal(2);
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
      if (index >= busy) queue.note(true, 0);
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
