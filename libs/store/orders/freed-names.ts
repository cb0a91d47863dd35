import type { Database } from '../../db/connect.ts';

/** A name that the ledger gave up; `name_key` is null of a row that had none. */
export type FreedName = { container: string; name_key: string | null };

// Whoever is being pushed, or locked, looks again by itself.
const MAKE_DUE = `
UPDATE associations SET due_at = now() WHERE id IN (
  SELECT a.id FROM entries e
  JOIN unnest(?::text[], ?::text[]) AS f (container, name_key) ON e.place = f.container AND e.wanted_key = f.name_key
  JOIN associations a ON a.id = e.association_id
  WHERE e.wanted_key IS NOT NULL AND a.lease_token IS NULL AND (a.due_at IS NULL OR a.due_at > now())
  ORDER BY a.id
  FOR UPDATE OF a SKIP LOCKED)`;

/** Makes due what waited for names that are free now. */
export async function makeWaitersDue(transaction: Database, freed: FreedName[]): Promise<void> {
  const names = freed.flatMap(({ container, name_key: key }) => (key === null ? [] : [{ container, key }]));
  if (names.length === 0) return;
  await transaction.raw(MAKE_DUE, [names.map(({ container }) => container), names.map(({ key }) => key)]);
}
