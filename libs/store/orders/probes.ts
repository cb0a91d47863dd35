import type { Database } from '../../db/connect.ts';
import { announceDue, type DueDestination } from '../due/announce.ts';
import type { Cause } from './order.ts';

/** What a push learned about its destination as a whole; `failures` and `revision` are the values at the claim. */
export type DestinationFinding = {
  /** Null: the store answered correctly, or no call was made. */
  failure: Cause | null;
  /** The store was reached and accepted the credentials. */
  works: boolean;
  failures: number;
  revision: number;
  /** The first wait; the next ones are 2, 5, 15 and 60 times as long. */
  recheckMs: number;
};

// The least time between two early probes that changes of secrets cause.
const EARLY_AFTER = "interval '10 seconds'";

// SQL: the wait after so many failures, before it is spread by a fifth to either side.
const waitAfter = (failures: string): string =>
  `(ARRAY[1, 2, 5, 15, 60])[least(${failures}, 5)] * :recheckMs * interval '1 millisecond'`;

// SQL: the failures with this one. One before the end of the wait, which somebody asked for, makes no wait longer.
const COUNTED = `CASE WHEN failures > 0 AND now() < failed_at + 0.8 * ${waitAfter('failures')} THEN failures ELSE failures + 1 END`;

// Pushes that failed together count once: they were claimed with the same `failures`. Other settings that fail for the same
// cause, before anything has healed, go on with its incident.
const FAILED = `
UPDATE destinations SET failure = :failure, failures = ${COUNTED}, failed_at = now(),
  failing_since = coalesce(failing_since, (
    SELECT i.opened_at FROM sync_incidents i
    WHERE i.destination_id = :destinationId AND i.code = CAST(:failure AS jsonb) ->> 'code' AND i.closed_at IS NULL
  ), now()),
  probe_at = now() + (0.8 + random() * 0.4) * ${waitAfter(COUNTED)}
WHERE id = :destinationId AND revision = :revision AND failures = :failures`;

/**
 * Stores what a push learned about its destination. If it works, all its waiting associations can be claimed; if not, one
 * at each probe.
 */
export async function noteFinding(
  db: Database,
  destinationId: number,
  finding: DestinationFinding,
): Promise<void> {
  const { failure, works, failures, revision, recheckMs } = finding;
  const bindings = { failure: JSON.stringify(failure), recheckMs, destinationId, revision, failures };
  if (failure) await db.raw(FAILED, bindings);
  else if (works) await clearFailure(db, destinationId);
  // The push made no call, so the next association probes.
  else
    await db('destinations')
      .where({ id: destinationId, failures, revision })
      .update({ probe_at: db.fn.now() });
}

/** The destination works: no association waits for a probe any more. */
export async function clearFailure(db: Database, destinationId: number): Promise<void> {
  const rows = await db('destinations')
    .where({ id: destinationId })
    .where('failures', '>', 0)
    .update({
      freed_at: db.fn.now(),
      freed_from: db.raw(`failure ->> 'code'`),
      failure: null,
      failures: 0,
      failed_at: null,
      failing_since: null,
      probe_at: null,
    })
    .returning<DueDestination[]>(['id AS destination_id', 'type']);
  announceDue(db, rows);
}

// Due before all others of its destination, by no more than that: the time is shown as that of the longest wait.
const FIRST = `
UPDATE associations SET later = false, due_at = (
  SELECT least(now(), min(o.due_at)) - interval '1 microsecond' FROM associations o WHERE o.destination_id = ?
)
WHERE id = ? AND lease_token IS NULL`;

/** Probes the destination now, with this association. */
export async function probeNow(db: Database, destinationId: number, associationId: number): Promise<void> {
  const rows = await db('destinations')
    .where({ id: destinationId })
    .where('failures', '>', 0)
    .update({ probe_at: db.fn.now() })
    .returning<DueDestination[]>(['id AS destination_id', 'type']);
  if (rows.length > 0) await db.raw(FIRST, [destinationId, associationId]);
  announceDue(db, rows);
}

/** A change of a secret causes an early probe: at most one every ten seconds, however many secrets change. */
export async function probeEarly(db: Database, destinationIds: number[]): Promise<void> {
  await db.raw(
    `UPDATE destinations SET probe_at = now(), failed_at = now()
     WHERE id = ANY (?) AND failures > 0 AND probe_at > now() AND failed_at <= now() - ${EARLY_AFTER}`,
    [destinationIds],
  );
}
