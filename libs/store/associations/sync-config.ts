import type { Database } from '../../db/connect.ts';
import { DISABLED, type Pause } from '../destinations/pauses.ts';
import { announceAllDue } from '../orders/due.ts';

/** `disabled`: nothing is pushed and all due work waits; `queue_capacity`: how many associations may wait meanwhile. */
export type SyncConfig = { disabled: boolean; queue_capacity: number };

/** `by`: who changes it; `reason`: why syncing is disabled; `until`: when that ends by itself. */
type SyncConfigChange = {
  before: SyncConfig;
  config: SyncConfig;
  by: string;
  reason: string | null | undefined;
  until: Date | null | undefined;
};

/** The one sync configuration of the installation. */
export async function readSyncConfig(db: Database): Promise<SyncConfig> {
  const row = await db('sync_config').first<SyncConfig | undefined>(
    db.raw(`${DISABLED} AS disabled`),
    'queue_capacity',
  );
  if (!row) throw new Error('the sync configuration is missing');
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockSyncConfig(transaction: Database): Promise<SyncConfig> {
  await transaction.raw('SELECT 1 FROM sync_config FOR UPDATE');
  return readSyncConfig(transaction);
}

/** Pauses syncing as a whole, which no person did; keeps a pause that there is, but for its end. */
export async function pauseBecause(transaction: Database, reason: string): Promise<void> {
  const pause = { ...NO_PAUSE, disabled_at: transaction.fn.now(), disabled_reason: reason };
  await transaction('sync_config')
    .whereRaw(`NOT ${DISABLED}`)
    .update({ disabled: true, ...pause });
  await transaction('sync_config').update({ disabled_until: null });
}

/** Ends it, without notifying any worker. */
export async function endPause(transaction: Database): Promise<void> {
  await transaction('sync_config').update({ disabled: false, ...NO_PAUSE, resumed_at: transaction.fn.now() });
}

const NO_PAUSE = {
  disabled_at: null,
  disabled_changed_at: null,
  disabled_by: null,
  disabled_reason: null,
  disabled_until: null,
};

/** Who paused syncing as a whole, since when and why; null if it is not disabled. */
export async function readWholePause(db: Database): Promise<Pause | null> {
  const { rows } = await db.raw<{ rows: { pause: Pause | null }[] }>(`SELECT ${WHOLE_PAUSE} AS pause`);
  return rows[0]?.pause ?? null;
}

/** SQL: the same as JSON. */
export const WHOLE_PAUSE = `(SELECT CASE WHEN ${DISABLED} THEN jsonb_build_object(
  'since', disabled_at, 'by', disabled_by, 'reason', disabled_reason, 'until', disabled_until,
  'changed_at', greatest(disabled_at, disabled_changed_at)) END FROM sync_config)`;

/**
 * Replaces the configuration, which the transaction has locked; `before` is the present one. If it is to stay disabled, an
 * absent reason keeps the present one.
 */
export async function writeSyncConfig(
  transaction: Database,
  { before, config, by, reason, until }: SyncConfigChange,
): Promise<void> {
  const isKept = before.disabled && config.disabled && reason === undefined;
  const pause = config.disabled
    ? {
        disabled_at: before.disabled ? transaction.raw('coalesce(disabled_at, now())') : transaction.fn.now(),
        disabled_changed_at: before.disabled ? transaction.fn.now() : null,
        disabled_by: by,
        disabled_reason: reason ?? null,
        disabled_until: until ?? null,
      }
    : { ...NO_PAUSE, ...(before.disabled ? { resumed_at: transaction.fn.now() } : {}) };
  await transaction('sync_config').update({ ...config, ...(isKept ? {} : pause) });
  if (before.disabled && !config.disabled) await announceAllDue(transaction);
}
