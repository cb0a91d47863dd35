import type { Database } from '../../db/connect.ts';
import type { Cause } from './order.ts';

/** What a push found out about its destination as a whole; `failures` and `revision` are those that it was claimed with. */
export type Finding = {
  /** Null: the store answered as it should, or nothing was asked. */
  failure: Cause | null;
  /** The store was reached and let us in. */
  works: boolean;
  failures: number;
  revision: number;
  /** The first wait; the next ones are 2, 5, 15 and 60 times as long. */
  recheckMs: number;
};

// Changes of secrets may ask for an early look so often.
const EARLY_AFTER = "interval '10 seconds'";

// Counted once for all pushes that failed together: they were claimed with the same count.
const FAILED = `
UPDATE destinations SET failure = ?, failures = failures + 1, failed_at = now(),
  failing_since = coalesce(failing_since, now()),
  probe_at = now() + (ARRAY[1, 2, 5, 15, 60])[least(failures + 1, 5)] * (0.8 + random() * 0.4) * ? * interval '1 millisecond'
WHERE id = ? AND revision = ? AND failures = ?`;

/** Stores what was found out about a destination. Whoever waited for it may be claimed, one by one, or all of them. */
export async function noteFinding(db: Database, destinationId: number, finding: Finding): Promise<void> {
  const { failure, works, failures, revision, recheckMs } = finding;
  if (failure) await db.raw(FAILED, [JSON.stringify(failure), recheckMs, destinationId, revision, failures]);
  else if (works) await clearFailure(db, destinationId);
  // It had nothing to ask: the next one tries.
  else
    await db('destinations')
      .where({ id: destinationId, failures, revision })
      .update({ probe_at: db.fn.now() });
}

/** The destination works: nothing waits for a look any more. */
export async function clearFailure(db: Database, destinationId: number): Promise<void> {
  await db('destinations')
    .where({ id: destinationId })
    .where('failures', '>', 0)
    .update({ failure: null, failures: 0, failed_at: null, failing_since: null, probe_at: null });
}

/** Somebody asks for a look now, by this association. */
export async function probeNow(db: Database, destinationId: number, associationId: number): Promise<void> {
  const found: number = await db('destinations')
    .where({ id: destinationId })
    .where('failures', '>', 0)
    .update({ probe_at: db.fn.now() });
  // Before all others that are due.
  if (found > 0)
    await db('associations')
      .where({ id: associationId, lease_token: null })
      .update({ due_at: new Date(0) });
}

/** A change of a secret asks for a look; every ten seconds at most, however many change. */
export async function probeEarly(db: Database, destinationIds: number[]): Promise<void> {
  await db.raw(
    `UPDATE destinations SET probe_at = now(), failed_at = now()
     WHERE id = ANY (?) AND failures > 0 AND probe_at > now() AND failed_at <= now() - ${EARLY_AFTER}`,
    [destinationIds],
  );
}
