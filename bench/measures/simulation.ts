import { availableParallelism } from 'node:os';
import { fitCosts } from '../simulation/fit.ts';
import { simulate, type Costs, type Shape } from '../simulation/simulate.ts';
import { callsOfPush, measurePushes, type Case, type Measured } from '../support/push-costs.ts';
import { createRow, type Row } from '../support/row.ts';
import type { Stage } from '../support/stage.ts';

const storeMs = 50;

// The costs come from these runs …
const LEARNT: Case[] = [4, 16, 64].map((concurrency) => ({
  workers: 1,
  destinations: 1,
  concurrency,
  storeMs,
}));
// … and the model must predict these.
const PREDICTED: Case[] = [
  { workers: 2, destinations: 1, concurrency: 16, storeMs },
  { workers: 4, destinations: 1, concurrency: 16, storeMs },
  { workers: 2, destinations: 20, concurrency: 2, storeMs },
  { workers: 4, destinations: 1, concurrency: 64, storeMs },
];

/**
 * Measures what pushes cost, predicts other runs by the model of bench/simulation, and compares; then runs the model for
 * installations that no single machine holds.
 */
export const simulation = {
  name: 'simulation',
  measures: ['libs/sync/scheduler', 'libs/store/orders'],
  run: async (stage: Stage): Promise<Row[]> => {
    const samples: Measured[] = [];
    for (const one of LEARNT) samples.push(await measurePushes(stage, one));
    const costs = fitCosts(samples);
    const rows: Row[] = [];
    stage.say(`costs: ${JSON.stringify(costs)}`);
    for (const one of PREDICTED) {
      const { rate } = await measurePushes(stage, one);
      const predicted = simulate(shapeOf(one), costs);
      const { workers, destinations, concurrency } = one;
      const measure = `SIMULATION, checked: ${workers} workers, ${destinations} × ${concurrency} slots (${predicted.bound})`;
      const line = { measure, unit: '1/s', value: predicted.rate, floor: rate };
      rows.push(createRow(line, [{ of: 'ratio', least: 0.85, most: 1.15 }]));
    }
    for (const line of largeRuns(costs)) stage.say(line);
    return rows;
  },
};

function shapeOf(one: Case): Shape {
  const destinations = [{ count: one.destinations, secrets: 10_000 }];
  return {
    ...one,
    destinations,
    calls: callsOfPush,
    storeLimit: Infinity,
    machine: { cores: availableParallelism() },
  };
}

/** Ten million changed secrets, 100 workers, and a Postgres of its own. */
function largeRuns(costs: Costs): string[] {
  const base = {
    workers: 100,
    concurrency: 16,
    storeMs,
    calls: callsOfPush,
    machine: { postgresCores: 16, logBytesPerSecond: 200e6 },
  };
  const even = [{ count: 10_000, secrets: 1000 }];
  const uneven = [
    { count: 9999, secrets: 900 },
    { count: 1, secrets: 1_000_900 },
  ];
  const cases: { title: string; shape: Shape }[] = [
    { title: '10000 destinations, 50/s each', shape: { ...base, destinations: even, storeLimit: 50 } },
    { title: '10000 destinations, 3/s each', shape: { ...base, destinations: even, storeLimit: 3 } },
    {
      title: '100 destinations, 50/s each',
      shape: { ...base, destinations: [{ count: 100, secrets: 100_000 }], storeLimit: 50 },
    },
    {
      title: '10000 destinations, one with a tenth of all, 50/s',
      shape: { ...base, destinations: uneven, storeLimit: 50 },
    },
    {
      title: '10000 destinations, 50/s each, 10 workers',
      shape: { ...base, workers: 10, destinations: even, storeLimit: 50 },
    },
  ];
  return cases.map(({ title, shape }) => {
    const { seconds, rate, bound, postgresCores, log } = simulate(shape, costs);
    const facts = `Postgres ${postgresCores.toFixed(1)} cores, ${(log / 1e9).toFixed(0)} GB of log`;
    return `10,000,000 secrets, ${title}: ${Math.round(seconds)} s, ${Math.round(rate)}/s by ${bound}, ${facts}`;
  });
}
