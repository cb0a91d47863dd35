import { pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import type { SecretName } from '../split-path.ts';

/** The call that makes a version the newest one again, if `current` still is. */
export function rollbackOf({ mount, path }: SecretName, version: number, current: number): Call {
  return {
    method: 'POST',
    path: `${pathOf(mount)}/rollback/${pathOf(path)}`,
    body: { version, options: { cas: current } },
  };
}
