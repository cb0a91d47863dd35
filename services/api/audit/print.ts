import { fingerprint } from '../../../libs/crypto/fingerprint.ts';
import type { ApiServices } from '../services.ts';

/**
 * Keyed fingerprints of values that the trail must not have. Each attribute has its own, so that nobody can compare a
 * guess in one with a value in another.
 */
export function printerOf(
  { installation }: Pick<ApiServices, 'installation'>,
  scope: string,
): (value: string, name?: string) => string {
  return (value, name = '') =>
    fingerprint(installation.hashKey, `audit ${scope} ${name}`, value).toString('hex').slice(0, 16);
}
