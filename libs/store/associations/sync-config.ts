import type { Database } from '../../db/connect.ts';
import { announceAllDue } from '../orders/due.ts';

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

/** Replaces the configuration, which the transaction has locked; `before` is the present one. */
export async function writeSyncConfig(
  transaction: Database,
  before: SyncConfig,
  config: SyncConfig,
): Promise<void> {
  await transaction('sync_config').update(config);
  if (before.disabled && !config.disabled) await announceAllDue(transaction);
}
