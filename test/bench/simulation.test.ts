import { expect } from 'chai';
import { fitCosts } from '../../bench/simulation/fit.ts';
import { simulate, type Costs, type Shape } from '../../bench/simulation/simulate.ts';

const costs: Costs = {
  worker: { round: 1, push: 0.25 },
  postgres: { round: 1, push: 0.05 },
  others: { round: 0, push: 0.1 },
  log: { round: 0, push: 1000 },
  gapMs: 0,
};

const shape: Shape = {
  destinations: [{ count: 100, secrets: 1000 }],
  workers: 4,
  concurrency: 16,
  storeMs: 50,
  calls: 1,
  storeLimit: Infinity,
  machine: { postgresCores: 64, logBytesPerSecond: 1e9 },
};

describe('the model of large installations', () => {
  it('a limit of the store bounds each destination, however many workers there are', () => {
    for (const workers of [4, 100]) {
      const { seconds, bound } = simulate({ ...shape, workers, storeLimit: 10 }, costs);
      expect(seconds).to.be.closeTo(100, 0.001);
      expect(bound).to.equal('store limit');
    }
  });

  it('slots times the latency of the store bound a destination that has no limit', () => {
    const destinations = [{ count: 1, secrets: 12_800 }];
    const { rate, seconds, bound } = simulate({ ...shape, destinations }, costs);
    expect({ rate, seconds, bound }).to.deep.equal({ rate: 1280, seconds: 10, bound: 'slots' });
  });

  it('a store that is read before each write takes half as many writes from the same slots', () => {
    const destinations = [{ count: 1, secrets: 12_800 }];
    const [slow, fast] = [2, 1].map((calls) => simulate({ ...shape, destinations, calls }, costs).rate);
    expect(slow).to.equal((fast ?? 0) / 2);
  });

  it('twice the workers push twice as much where their processors are the bound', () => {
    const fast = { ...shape, storeMs: 1 };
    const [four, eight] = [4, 8].map((workers) => simulate({ ...fast, workers }, costs));
    expect(four?.bound).to.equal('workers');
    expect((eight?.rate ?? 0) / (four?.rate ?? 1)).to.be.closeTo(2, 0.001);
  });

  it('Postgres bounds all workers together, and so does its disk', () => {
    const many = { ...shape, storeMs: 1, workers: 100 };
    const byCores = simulate({ ...many, machine: { postgresCores: 2, logBytesPerSecond: 1e9 } }, costs);
    expect(byCores.bound).to.equal('Postgres');
    expect(byCores.postgresCores).to.be.closeTo(2, 0.001);
    const byDisk = simulate({ ...many, machine: { postgresCores: 64, logBytesPerSecond: 1e6 } }, costs);
    expect(byDisk).to.include({ bound: 'disk', rate: 1000 });
  });

  it('more workers than the stores can use cost Postgres more for each push', () => {
    const limited = { ...shape, destinations: [{ count: 10_000, secrets: 1000 }], storeLimit: 3 };
    const [few, many] = [20, 100].map((workers) => simulate({ ...limited, workers }, costs));
    const coresFor = (course = many): number => (course?.postgresCores ?? 0) / (course?.rate ?? 1);
    expect(coresFor(many)).to.be.above(2 * coresFor(few));
  });

  it('a destination with more secrets than the others goes on alone when they are done', () => {
    const destinations = [
      { count: 9, secrets: 100 },
      { count: 1, secrets: 1000 },
    ];
    const { seconds, log } = simulate({ ...shape, destinations, storeLimit: 10 }, costs);
    expect(seconds).to.be.closeTo(100, 0.001);
    expect(log).to.be.closeTo(1900 * 1000, 1);
  });

  it('the costs of a claim and of a push are told apart by claims of different sizes', () => {
    const samples = [2, 8, 32].map((perClaim) => ({
      perClaim,
      gapMs: 2,
      worker: 0.25 + 1 / perClaim,
      postgres: 0.05 + 1 / perClaim,
      others: 0.1,
      log: 1000,
    }));
    const fitted = fitCosts(samples);
    expect(fitted.worker.round).to.be.closeTo(1, 0.001);
    expect(fitted.worker.push).to.be.closeTo(0.25, 0.001);
    expect(fitted.log).to.deep.equal({ round: 0, push: 1000 });
    expect(fitted.gapMs).to.equal(2);
  });
});
