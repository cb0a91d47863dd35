import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { pauseBecause } from '../associations/sync-config.ts';
import { DISABLED } from '../destinations/pauses.ts';
import { LOST } from './lost-writes.ts';

/**
 * Records which database the installation lives in; see `readDatabaseId`. If it came here from another one, it was restored
 * from a backup, copied or moved, and the former installation may still run: changes are refused and syncing is paused until
 * an operator decides.
 */
export async function noteHome(db: Database, databaseId: string): Promise<void> {
  if ((await readHome(db)) === databaseId) return;
  await transact(db, async (transaction) => {
    const home = await readHome(transaction, { isLocked: true });
    if (home === databaseId) return;
    await transaction('database_branch').update({ home: databaseId });
    if (home === null) return;
    await transaction('database_branch').update({
      is_copy: true,
      loss_found_at: transaction.fn.now(),
      loss_accepted_at: null,
      paused_sync: transaction.raw(`paused_sync OR NOT (SELECT ${DISABLED} FROM sync_config)`),
      ledger_is_stale: true,
    });
    await pauseBecause(transaction, LOST.copy);
  });
}

async function readHome(db: Database, { isLocked = false } = {}): Promise<string | null> {
  const found = db('database_branch').select('home');
  const [row]: { home: string | null }[] = await (isLocked ? found.forUpdate() : found);
  return row?.home ?? null;
}
