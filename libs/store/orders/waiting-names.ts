import type { Database } from '../../db/connect.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';

/** A name that the ledger gave up; `name_key` is null if the row had no name. */
export type FreedName = { container: string; name_key: string | null };

// Associations that are leased or locked try again by themselves.
const MAKE_DUE = `
UPDATE associations a SET due_at = now(), later = false WHERE a.id IN (
  SELECT a.id FROM entries e
  JOIN unnest(?::text[], ?::text[]) AS f (container, name_key) ON e.container = f.container AND e.wanted_key = f.name_key
  JOIN associations a ON a.id = e.association_id
  WHERE e.wanted_key IS NOT NULL AND a.lease_token IS NULL AND (a.due_at IS NULL OR a.due_at > now())
  ORDER BY a.id
  FOR UPDATE OF a SKIP LOCKED)
RETURNING ${DUE_DESTINATION}`;

/** Makes the associations due that wait for these names, which are free now. */
export async function makeWaitersDue(transaction: Database, freed: FreedName[]): Promise<void> {
  const names = freed.flatMap(({ container, name_key: key }) => (key === null ? [] : [{ container, key }]));
  if (names.length === 0) return;
  const { rows } = await transaction.raw<{ rows: DueDestination[] }>(MAKE_DUE, [
    names.map(({ container }) => container),
    names.map(({ key }) => key),
  ]);
  announceDue(transaction, rows);
}
