import type { Cost, Costs } from './simulate.ts';

/** One measured run: what a push cost, with this many orders in each claim. Units as in `Costs`. */
export type Sample = { perClaim: number; gapMs: number } & Record<
  'worker' | 'postgres' | 'others' | 'log',
  number
>;

/** The costs that explain the samples best. */
export function fitCosts(samples: Sample[]): Costs {
  const costOf = (part: 'worker' | 'postgres' | 'others' | 'log'): Cost =>
    fit(samples, (sample) => sample[part]);
  return {
    worker: costOf('worker'),
    postgres: costOf('postgres'),
    others: costOf('others'),
    log: costOf('log'),
    // Where the processors are busy, a slot waits for them too.
    gapMs: Math.min(...samples.map(({ gapMs }) => gapMs)),
  };
}

/** Least squares for `cost = push + round / perClaim`. */
function fit(samples: Sample[], figureOf: (sample: Sample) => number): Cost {
  const points = samples.map((sample) => ({ x: 1 / sample.perClaim, y: figureOf(sample) }));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const spread = mean(points.map((point) => (point.x - x) ** 2));
  const slope = mean(points.map((point) => (point.x - x) * (point.y - y))) / spread;
  // Noise must not make a round free, nor a push.
  const round = Math.min(Math.max(0, slope), y / x);
  return { round, push: y - round * x };
}
