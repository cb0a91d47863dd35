import type { Database } from '../../db/connect.ts';

// Long enough that meeting the limit again costs next to nothing, short enough to notice a raised one.
const PACED_MINUTES = 10;

/**
 * The store asked us to wait: nothing of the destination is claimed by any worker until then (a longer wait is kept),
 * and for some minutes afterwards claims are spaced at the store's documented rate.
 */
export async function throttleDestination(
  db: Database,
  destinationId: number,
  milliseconds: number,
): Promise<void> {
  await db.raw(
    `UPDATE destinations d SET
       throttled_until = greatest(d.throttled_until, until.at),
       paced_until = greatest(d.throttled_until, until.at),
       pace_expires_at = now() + ? * interval '1 minute'
     FROM (SELECT now() + ? * interval '1 millisecond' AS at) until
     WHERE d.id = ?`,
    [PACED_MINUTES, milliseconds, destinationId],
  );
}

/** Counts writes that an order made beyond the one it was given, while the destination is paced. */
export async function spendPace(db: Database, destinationId: number, milliseconds: number): Promise<void> {
  await db.raw(
    `UPDATE destinations SET paced_until = paced_until + ? * interval '1 millisecond'
     WHERE id = ? AND pace_expires_at > now()`,
    [milliseconds, destinationId],
  );
}
