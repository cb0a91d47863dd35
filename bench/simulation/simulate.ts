/**
 * What pushes cost. A worker claims many orders at once and stores their results together: a cost has a part for such a
 * round, and a part for each push in it.
 */
export type Costs = {
  /** Milliseconds of a core of the worker. */
  worker: Cost;
  /** Milliseconds of a core of Postgres. */
  postgres: Cost;
  /** Milliseconds of a core of all else on the measured machine: the broker, and the store. */
  others: Cost;
  /** Bytes of write-ahead log. */
  log: Cost;
  /** Milliseconds of a push in which its slot waits for no call. */
  gapMs: number;
};

export type Cost = { round: number; push: number };

/** An installation with changed secrets. All workers are of one type, and each works for all destinations. */
export type Shape = {
  /** How many destinations have how many changed secrets each. */
  destinations: { count: number; secrets: number }[];
  workers: number;
  concurrency: number;
  /** Milliseconds of a call. */
  storeMs: number;
  /** Calls of a push, one after the other. */
  calls: number;
  /** Writes a second that a destination's store takes; Infinity: no limit. */
  storeLimit: number;
  /** Where it runs: on one machine, or each worker on a core of its own and Postgres on some. */
  machine: { cores: number } | { postgresCores: number; logBytesPerSecond: number };
};

/** What bounds the rate: the store's limit, the pushes in flight, or a machine. */
export type Bound = 'store limit' | 'slots' | 'workers' | 'Postgres' | 'disk' | 'machine';

export type Course = {
  /** Seconds until all secrets are pushed. */
  seconds: number;
  /** Pushes a second at the beginning. */
  rate: number;
  /** What bounds that rate. */
  bound: Bound;
  /** Cores of Postgres that are busy at the beginning. */
  postgresCores: number;
  /** Bytes of write-ahead log, together. */
  log: number;
};

// The limits of a worker, as in libs/sync/scheduler: pushes that its queues share, pushes at most, orders of a claim.
const SHARED_PUSHES = 256;
const MOST_PUSHES = 2 * SHARED_PUSHES;
const MOST_PER_CLAIM = 500;
// The next claim starts when the one before it has ended.
const CLAIM_SECONDS = 0.005;

/**
 * Runs the model. All destinations that have work advance at the same rate, until the one with the fewest secrets is
 * done; then the others share what it leaves.
 */
export function simulate(shape: Shape, costs: Costs): Course {
  const classes = shape.destinations.toSorted((left, right) => left.secrets - right.secrets);
  let active = classes.reduce((sum, { count }) => sum + count, 0);
  const first = paceOf(active, shape, costs);
  let [seconds, log, done] = [0, 0, 0];
  for (const { count, secrets } of classes) {
    const { rate, logPerPush } = paceOf(active, shape, costs);
    const pushes = (secrets - done) * active;
    seconds += pushes / rate;
    log += pushes * logPerPush;
    done = secrets;
    active -= count;
  }
  return { seconds, rate: first.rate, bound: first.bound, postgresCores: first.postgresCores, log };
}

type Pace = { rate: number; bound: Bound; postgresCores: number; logPerPush: number };

/** How fast this many destinations advance together. */
function paceOf(active: number, shape: Shape, costs: Costs): Pace {
  const { workers, concurrency, storeMs, calls, storeLimit, machine } = shape;
  const share = Math.max(1, Math.min(concurrency, Math.floor(SHARED_PUSHES / active)));
  const pushes = workers * Math.min(share * active, MOST_PUSHES);
  const wanted: [Bound, number][] = [
    ['store limit', storeLimit * active],
    ['slots', (pushes * 1000) / (calls * storeMs + costs.gapMs)],
  ];
  const [, most] = lowest(wanted);
  // A queue claims when half of its slots are free; a fast worker finds more of them with each claim.
  const perClaim = Math.min(MOST_PER_CLAIM, Math.max(share / 2, 1, (most / workers) * CLAIM_SECONDS));
  const each = ({ round, push }: Cost): number => push + round / perClaim;
  const bounds: [Bound, number][] =
    'cores' in machine
      ? [
          [
            'machine',
            (machine.cores * 1000) / (each(costs.worker) + each(costs.postgres) + each(costs.others)),
          ],
        ]
      : [
          ['Postgres', (machine.postgresCores * 1000) / each(costs.postgres)],
          ['disk', machine.logBytesPerSecond / each(costs.log)],
        ];
  const [bound, rate] = lowest([...wanted, ['workers', (workers * 1000) / each(costs.worker)], ...bounds]);
  return {
    rate,
    bound,
    postgresCores: (rate * each(costs.postgres)) / 1000,
    logPerPush: each(costs.log),
  };
}

function lowest(bounds: [Bound, number][]): [Bound, number] {
  return bounds.reduce((least, bound) => (bound[1] < least[1] ? bound : least));
}
