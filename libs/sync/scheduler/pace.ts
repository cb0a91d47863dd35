import type { Pace } from '../../store/orders/spacing.ts';
import type { Destination } from '../../connector/contract.ts';

// A little below the documented limit, so that jitter on the way does not cross it.
const SHARE = 0.98;

/** The spacing that keeps a type's documented write limit; undefined where it has none. */
export function paceOf(destination: Destination): Pace | undefined {
  const { rate } = destination;
  return rate && { intervalMs: rate.perMs / (rate.writes * SHARE) };
}
