import { availableParallelism } from 'node:os';
import { fitCosts } from '../simulation/fit.ts';
import { simulate, type Costs, type Shape } from '../simulation/simulate.ts';
import { measurePushes, type Case, type Measured } from '../support/push-costs.ts';
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
// … and the model must foretell these.
const FORETOLD: Case[] = [
  { workers: 2, destinations: 1, concurrency: 16, storeMs },
  { workers: 4, destinations: 1, concurrency: 16, storeMs },
  { workers: 2, destinations: 20, concurrency: 2, storeMs },
  { workers: 4, destinations: 1, concurrency: 64, storeMs },
];

/**
 * Measures what pushes cost, foretells other runs by the model of bench/simulation, and compares; then runs the model for
 * installations that no single machine holds.
 */
export const simulation = {
  name: 'simulation',
  run: async (stage: Stage): Promise<Row[]> => {
    const samples: Measured[] = [];
    for (const one of LEARNT) samples.push(await measurePushes(stage, one));
    const costs = fitCosts(samples);
    const rows = costRows(costs);
    for (const one of FORETOLD) {
      const { rate } = await measurePushes(stage, one);
      const foretold = simulate(shapeOf(one), costs);
      const { workers, destinations, concurrency } = one;
      const measure = `SIMULATION, checked: ${workers} workers, ${destinations} × ${concurrency} slots (${foretold.bound})`;
      const line = { measure, unit: '1/s', value: foretold.rate, floor: rate };
      rows.push(createRow(line, [{ of: 'ratio', least: 0.85, most: 1.15 }]));
    }
    return [...rows, ...largeRows(costs)];
  },
};

function shapeOf(one: Case): Shape {
  const destinations = [{ count: one.destinations, secrets: 10_000 }];
  return { ...one, destinations, storeLimit: Infinity, machine: { cores: availableParallelism() } };
}

function costRows({ worker, postgres, log }: Costs): Row[] {
  const rowsOf = (what: string, unit: string, { push, round }: Costs['log']): Row[] => [
    createRow({ measure: `push: ${what}`, unit, value: push }),
    createRow({ measure: `push: ${what}, for each claim`, unit, value: round }),
  ];
  return [
    ...rowsOf('processor of a worker', 'ms', worker),
    ...rowsOf('processor of Postgres', 'ms', postgres),
    ...rowsOf('write-ahead log', 'bytes', log),
  ];
}

/** Ten million changed secrets, 100 workers, and a Postgres of its own. */
function largeRows(costs: Costs): Row[] {
  const base = {
    workers: 100,
    concurrency: 16,
    storeMs,
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
    const facts = `${Math.round(rate)}/s by ${bound}, Postgres ${postgresCores.toFixed(1)} cores, ${(log / 1e9).toFixed(0)} GB of log`;
    return createRow({
      measure: `SIMULATION, 10000000 secrets, ${title} (${facts})`,
      unit: 's',
      value: seconds,
    });
  });
}
