import type { Database } from '../db/connect.ts';

/**
 * What becomes of entries where a destination writes to another place from now on. `follow`: they are the same ones.
 * `ask`: whether they are there, and whose, is for the store to say: by a creation that it refuses or by its marks
 * (`exclusive`), by marks alone (`marked`), or not at all (`neither`).
 */
export type Move = 'follow' | { ask: 'exclusive' | 'marked' | 'neither' };

/**
 * Takes a destination's names along to another place. Call it with the associations locked, which comes before their
 * entries everywhere. Throws a unique violation where a name is taken there.
 */
export async function moveEntries(
  transaction: Database,
  destinationId: number,
  { place, move }: { place: string; move: Move },
): Promise<void> {
  const entries = transaction('entries').where({ destination_id: destinationId });
  if (move === 'follow') {
    await entries.update({ place });
    return;
  }
  // Who pushes now does it to the old place: what it reports must not count. Its lease goes on, so that two never push.
  await transaction('associations')
    .where({ destination_id: destinationId })
    .whereNotNull('lease_token')
    .update({ lease_token: transaction.raw("nextval('lease_tokens')") });
  await entries.update({
    place,
    held: heldAfter(transaction, move.ask),
    value_print: null,
    written_tags: null,
    // It may have been written, for all that is known: what is to be removed is looked for.
    written_at: transaction.fn.now(),
  });
}

// What is to be removed is looked at first where creation is exclusive; elsewhere an entry that is not held is left outside.
function heldAfter(transaction: Database, ask: 'exclusive' | 'marked' | 'neither') {
  if (ask === 'exclusive') return false;
  if (ask === 'neither') return transaction.ref('held');
  return transaction.raw(
    'held AND (SELECT a.removing FROM associations a WHERE a.id = entries.association_id)',
  );
}
