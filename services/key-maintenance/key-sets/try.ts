import { listSetting } from '../../../libs/config/config.ts';
import type { KeySet, KeySource } from '../../../libs/store/auth/key-sets.ts';
import type { MaintenanceServices } from '../job.ts';
import { fetchKeySet, KeySetError } from './fetch.ts';

/** Fetches the keys of an issuer, or says in a sentence why it could not. */
export async function tryKeySet(
  { config }: Pick<MaintenanceServices, 'config'>,
  source: KeySource,
): Promise<Omit<KeySet, 'keys'> & { keys: Record<string, string>[]; fault: string | null }> {
  try {
    const { issuer, keys } = await fetchKeySet(source, listSetting(config.EGRESS_ALLOW));
    return { issuer, keys: keys as Record<string, string>[], fault: null };
  } catch (error) {
    if (error instanceof KeySetError) return { issuer: null, keys: [], fault: error.message };
    throw error;
  }
}
