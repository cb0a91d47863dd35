import type { Database } from '../../db/connect.ts';

/** `disabled`: nothing is pushed and all due work waits; `queue_capacity`: how many associations may wait meanwhile. */
export type SyncConfig = { disabled: boolean; queue_capacity: number };

/** The one sync configuration of the installation. */
export async function readSyncConfig(db: Database): Promise<SyncConfig> {
  const row = await db<SyncConfig>('sync_config').first('disabled', 'queue_capacity');
  if (!row) throw new Error('the sync configuration is missing');
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockSyncConfig(transaction: Database): Promise<SyncConfig> {
  await transaction.raw('SELECT 1 FROM sync_config FOR UPDATE');
  return readSyncConfig(transaction);
}

export async function writeSyncConfig(db: Database, config: SyncConfig): Promise<void> {
  await db('sync_config').update(config);
}
