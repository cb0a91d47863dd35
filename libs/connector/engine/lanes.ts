/** One destination's share of a worker: its own slots, so that a slow or broken store holds up nobody else. */
export type Lane = {
  destinationId: number;
  /** Its rows may hold work that nobody has claimed. */
  demand: boolean;
  inFlight: number;
  /** Claimed and waiting for a slot. */
  waiting: number;
  /** Failures of the destination as a whole in a row; while there are any, one push at a time tries whether it is back. */
  outages: number;
  /** performance.now() before which nothing is claimed. */
  pausedUntil: number;
  /** Its writes are spaced, as far as this worker knows. */
  paced: boolean;
};

const LONGEST_PAUSE_MS = 30_000;

/** A fresh lane with nothing to do. */
export function createLane(destinationId: number): Lane {
  return { destinationId, demand: false, inFlight: 0, waiting: 0, outages: 0, pausedUntil: 0, paced: false };
}

/** How many pushes the lane may have in flight. */
export function laneWidth(lane: Lane, concurrency: number): number {
  return lane.outages > 0 ? 1 : concurrency;
}

/**
 * How many orders to claim for a lane now. It is filled up to twice its width when half empty, so that claims come in
 * batches and no slot waits for the database.
 */
export function laneSlots(
  lane: Lane,
  options: { concurrency: number; groupSize: number; now: number },
): number {
  if (!lane.demand || lane.pausedUntil > options.now) return 0;
  const width = laneWidth(lane, options.concurrency);
  const outstanding = lane.inFlight + lane.waiting;
  if (width === 1) return outstanding === 0 ? options.groupSize : 0;
  return outstanding <= width * options.groupSize ? 2 * width * options.groupSize - outstanding : 0;
}

/** A push of the lane has ended; `outage` says that the destination as a whole failed. */
export function noteOutcome(lane: Lane, outage: boolean, now: number): void {
  if (!outage) {
    lane.outages = 0;
    return;
  }
  lane.outages += 1;
  lane.pausedUntil = now + Math.random() * Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(lane.outages, 10));
}
