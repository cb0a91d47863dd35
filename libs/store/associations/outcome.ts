import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { HELD_CAUSE } from '../destinations/holds.ts';
import type { TriggeredAssociation } from './associations.ts';

/**
 * Whether the attempt at the generation has ended, with any outcome, or will not begin soon. True if the association is
 * gone.
 */
export async function hasOutcome(db: Database, { id, generation }: TriggeredAssociation): Promise<boolean> {
  const [row] = await prepared<{ ended: boolean }>(
    db,
    `SELECT a.synced_generation >= ? OR (a.lease_token IS NULL AND (a.due_at IS NULL OR a.due_at > now()))
       OR coalesce(d.throttled_until > now(), false) AS ended
     FROM associations a JOIN destinations d ON d.id = a.destination_id WHERE a.id = ?`,
    [generation, id],
  );
  return row?.ended ?? true;
}

/** Why the destination of an association is held back, as a text; null if it is not. */
export async function findHold(db: Database, associationId: number): Promise<string | null> {
  const [row] = await prepared<{ message: string | null }>(
    db,
    `SELECT ${HELD_CAUSE} ->> 'message' AS message
     FROM associations a JOIN destinations d ON d.id = a.destination_id WHERE a.id = ?`,
    [associationId],
  );
  return row?.message ?? null;
}
