import type { Database } from '../db/connect.ts';
import { findSettings } from '../store/settings/settings.ts';
import type { GeneralSettings } from './general.ts';

/** The general settings' requests per second for one client; undefined where limiting is off. */
export async function readRateLimit(db: Database): Promise<number | undefined> {
  const row = await findSettings(db, 'general');
  const settings = (row?.attributes ?? {}) as Partial<GeneralSettings>;
  if (settings['api-rate-limiting-enabled'] === false) return undefined;
  return settings['api-rate-limit'] ?? 30;
}
