import { HELD, HOLD_ENDS } from '../destinations/holds.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/**
 * SQL: a destination `d` may be written to now. Whatever holds back all its pushes belongs into the table of holds. A push
 * asks again if its order has waited since the claim (`isCalledOff`); one that begins at once relies on the claim.
 */
export const MAY_PUSH = `${NOT_DELETED} AND NOT ${HELD}`;

/**
 * SQL: the work of a destination `d` may be claimed now. The claim, the sweep and the figures of what waits follow it. Its
 * own conditions, beside MAY_PUSH, concern no order that is claimed: those learn of them in another way.
 */
export const MAY_CLAIM = `${MAY_PUSH}
  AND (d.throttled_until IS NULL OR d.throttled_until <= now())
  AND (d.probe_at IS NULL OR d.probe_at <= now())
  -- Until a change of the destination has reached an association, its ledger describes the destination before the change.
  AND d.rollout_after IS NULL
`;

/**
 * SQL: when the last wait of a destination `d` ends that ends by itself, or when it ended; null if there was none. The
 * sweep wakes up then, and the age of what is due counts from then.
 */
export const CLAIMABLE_FROM = `greatest(d.throttled_until, d.probe_at, ${HOLD_ENDS})`;

// Longer than a worker takes to claim what is due.
const SOON = "interval '10 seconds'";

/**
 * SQL: since when a worker could have claimed work of a destination `d` whose oldest work is due since `dueAt`; null if
 * nothing is due, it still has to wait or is held back, or that is not longer ago than claiming takes.
 */
export const unclaimedSince = (dueAt: string): string =>
  `CASE WHEN ${dueAt} IS NOT NULL AND NOT ${HELD} AND greatest(${dueAt}, ${CLAIMABLE_FROM}) < now() - ${SOON} THEN greatest(${dueAt}, ${CLAIMABLE_FROM}) END`;
