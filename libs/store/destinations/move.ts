import type { Database } from '../../db/connect.ts';
import { revokeLeases } from '../associations/triggers.ts';

/**
 * What becomes of entries where a destination writes to another place from now on. `follow`: they are the same ones.
 * `ask`: the store is to say whether they are there and whose they are, also before one is removed. `trust`: it cannot
 * say, so they are written again as ours.
 */
export type Move = 'follow' | 'ask' | 'trust';

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
  // Who pushes now does it to the old place: what it reports must not count.
  await revokeLeases(transaction, { destination_id: destinationId });
  await entries.update({
    place,
    value_print: null,
    written_tags: null,
    owner_seen_at: null,
    // It may be there, for all that is known: who removes it looks for it.
    written_at: transaction.fn.now(),
    ...(move === 'ask' ? { held: false } : {}),
  });
}
