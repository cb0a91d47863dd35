import type { Demand } from '../../store/orders/spacing.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Share } from './shares.ts';

/** One destination's share of a worker: its own slots, so that a slow or broken store holds up nobody else. */
export type Lane = {
  destinationId: number;
  /** Its rows may hold work that nobody has claimed. */
  demand: boolean;
  inFlight: number;
  /** Claimed and waiting for a slot. */
  waiting: number;
  /** Which revision of the destination the last orders were of. */
  revision: number;
  /** Failures of the destination as a whole in a row; while there are any, one push at a time tries whether it is back. */
  outages: number;
  /** performance.now() before which nothing is claimed. */
  pausedUntil: number;
  /** Orders pushed per second while there were any, lately; the count and the beginning of the span it is measured over. */
  speed: number;
  pushed: number;
  measuredFrom: number;
  /** performance.now() since when it has no work, where it has none. */
  idleFrom: number;
  /** The spacing it was granted last, 0 where it is not paced; when the last push began; until when the store asked for a pause. */
  intervalMs: number;
  startedAt: number;
  refusedUntil: number;
  /** Its writes are spaced, as far as this worker knows. */
  paced: boolean;
  /** performance.now() when other workers were last called to it. */
  calledAt: number;
  /** Whatever called for work last; the pushes of the next claim belong to it. */
  trace?: Trace | undefined;
};

const LONGEST_PAUSE_MS = 30_000;
const AHEAD_MS = 200;
const MOST_AHEAD = 400;
const SPEED_SPAN_MS = 250;
const CALL_EVERY_MS = 100;
// Longer than what lies between two claims of a paced lane.
const MOMENT_MS = 500;
// How much closer than planned two writes may follow each other after a delay.
const CATCH_UP = 0.9;

/** A fresh lane with nothing to do. */
export function createLane(destinationId: number): Lane {
  return {
    destinationId,
    demand: false,
    inFlight: 0,
    waiting: 0,
    revision: 0,
    outages: 0,
    pausedUntil: 0,
    intervalMs: 0,
    startedAt: 0,
    refusedUntil: 0,
    paced: false,
    speed: 0,
    pushed: 0,
    measuredFrom: 0,
    idleFrom: 0,
    calledAt: 0,
  };
}

/** How many pushes the lane may have in flight. */
export function laneWidth(lane: Lane, concurrency: number, share: Share): number {
  return lane.outages > 0 ? 1 : Math.min(concurrency, share.calls);
}

/**
 * How many orders to claim for a lane now. What waits for a slot covers the time a claim takes at the lane's speed, so
 * that no slot waits for the database and claims come in batches; a slow lane takes little more than it can push, and none
 * more than its share.
 */
export function laneSlots(
  lane: Lane,
  options: { concurrency: number; groupSize: number; share: Share; now: number },
): number {
  if (!lane.demand || lane.pausedUntil > options.now) return 0;
  const { share } = options;
  const width = laneWidth(lane, options.concurrency, share) * options.groupSize;
  const outstanding = lane.inFlight + lane.waiting;
  if (lane.outages > 0) return outstanding === 0 ? Math.min(width, share.orders) : 0;
  const ahead = Math.min(MOST_AHEAD, Math.max(width, Math.round((lane.speed * AHEAD_MS) / 1000)));
  // Its slots are filled first: what is to wait is claimed while they push.
  if (outstanding === 0) return Math.min(width, share.orders);
  const most = Math.min(width + ahead, share.orders);
  const room = most - outstanding;
  return room >= Math.min(ahead, most) / 2 ? room : 0;
}

/** A claim for the lane has ended. The time it had no work is not part of the span that its speed is measured over. */
export function noteClaim(lane: Lane, now: number): void {
  if (lane.inFlight + lane.waiting > 0) return;
  lane.measuredFrom += now - lane.idleFrom;
  lane.idleFrom = now;
}

/** Pushes of the lane have ended; `outage` says that the destination as a whole failed. */
export function noteOutcome(lane: Lane, orders: number, outage: boolean, now: number): void {
  lane.pushed += orders;
  lane.idleFrom = now;
  const span = now - lane.measuredFrom;
  if (span >= SPEED_SPAN_MS) {
    lane.speed = (lane.pushed / span) * 1000;
    lane.pushed = 0;
    lane.measuredFrom = now;
  }
  if (!outage) {
    lane.outages = 0;
    return;
  }
  lane.outages += 1;
  lane.pausedUntil = now + Math.random() * Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(lane.outages, 10));
}

/** Whether what came of its last pushes has the lane wait for more than a moment. */
export function isHeldBack(lane: Lane, now: number): boolean {
  return Math.max(lane.pausedUntil, lane.refusedUntil) > now + MOMENT_MS;
}

/** The destination is another one since it was changed: what its store said before holds no more. */
export function beginAnew(lane: Lane, revision: number): void {
  lane.revision = revision;
  lane.outages = 0;
  lane.pausedUntil = 0;
  lane.refusedUntil = 0;
}

/** Whether other workers are to be called now to a lane with more work than was claimed; a few times a second at most. */
export function callsOthers(lane: Lane, now: number): boolean {
  if (lane.paced || lane.outages > 0 || now - lane.calledAt < CALL_EVERY_MS) return false;
  lane.calledAt = now;
  return true;
}

/** The trace that the pushes of a claim which begins now belong to; the next claim has another, or none. */
export function takeTrace(lane: Lane): Trace | undefined {
  const { trace } = lane;
  lane.trace = undefined;
  return trace;
}

/** Milliseconds until a paced lane may begin its next push. Late ones are not made up for: the store counts as they come. */
export function startDelay(lane: Lane, startAt: number, now: number): number {
  if (lane.intervalMs === 0 || lane.refusedUntil > now) return 0;
  return Math.max(startAt, lane.startedAt + lane.intervalMs * CATCH_UP) - now;
}

/** What a claim asks for a chosen lane. */
export function demandOf({ lane, slots }: { lane: Lane; slots: number }): Demand {
  return { destinationId: lane.destinationId, slots, paced: lane.paced };
}

/** The bounds of one claim: it stops at that many lanes or orders. */
export type ClaimBounds = { lanes: number; orders: number };

/** Whether the bounds of a claim may have left lanes out. */
export function isFull(chosen: { slots: number }[], most: ClaimBounds): boolean {
  return chosen.length === most.lanes || chosen.reduce((sum, { slots }) => sum + slots, 0) >= most.orders;
}

/** Lanes with free slots, within the bounds of one claim. Served lanes go to the end of the map, so that each gets its turn. */
export function chooseLanes(
  lanes: Map<number, Lane>,
  slotsOf: (lane: Lane) => number,
  most: ClaimBounds,
): { lane: Lane; slots: number }[] {
  const chosen: { lane: Lane; slots: number }[] = [];
  let total = 0;
  for (const lane of lanes.values()) {
    if (chosen.length === most.lanes || total >= most.orders) break;
    const slots = Math.min(slotsOf(lane), most.orders - total);
    if (slots <= 0) continue;
    chosen.push({ lane, slots });
    total += slots;
  }
  for (const { lane } of chosen) {
    lanes.delete(lane.destinationId);
    lanes.set(lane.destinationId, lane);
  }
  return chosen;
}
