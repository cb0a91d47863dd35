import type { Database } from '../db/connect.ts';
import { findSettings } from '../store/settings/settings.ts';
import type { GeneralSettings } from './general.ts';

/** Requests per second for one client, from the general settings; undefined if limiting is off. */
export async function readRateLimit(db: Database): Promise<number | undefined> {
  const row = await findSettings(db, 'general');
  const settings = (row?.attributes ?? {}) as Partial<GeneralSettings>;
  if (settings['api-rate-limiting-enabled'] === false) return undefined;
  return settings['api-rate-limit'] ?? 30;
}
