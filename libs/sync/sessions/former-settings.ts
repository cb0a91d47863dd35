import type { Database } from '../../db/connect.ts';
import { findRevisions } from '../../store/destinations/destinations.ts';
import type { OrderResult } from '../../store/orders/result.ts';

/**
 * What a store said of a destination that was changed meanwhile holds no more: the wait that it asked the former
 * credentials for, and that the destination as a whole failed. `revision` is the one that was pushed with.
 */
export async function forgetFormerSettings(
  db: Database,
  results: OrderResult[],
  revision: number,
): Promise<OrderResult[]> {
  const [told] = results.filter(
    (result) => result.throttleMs > 0 || result.outage || result.finding?.failure,
  );
  if (!told) return results;
  const { destinationId: id } = told;
  // Without Postgres it is not known; then what was said is taken for true.
  const revisions = await findRevisions(db, [id]).catch(() => new Map<number, number>());
  if ((revisions.get(id) ?? revision) === revision) return results;
  return results.map((result) => ({ ...result, throttleMs: 0, outage: false, finding: null }));
}
