import { useQuery } from '@tanstack/react-query';
import type { LimitsAnswer } from '../../../../../api/contract/secrets.ts';
import { pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { mountLimitsQuery } from '../queries.ts';
import type { SecretName } from '../split-path.ts';

/** What applies where a secret says nothing. `number`: the maximum of versions, 0 if the mount has none. */
export type Inherited = { isKnown: boolean; most: string; number: number; after: string; cas: boolean };

/** The call that changes the metadata of a secret. */
export function metadataPatch({ mount, path }: SecretName, body: object): Call {
  return { method: 'PATCH', path: `${pathOf(mount)}/metadata/${pathOf(path)}`, body };
}

/** What applies where a secret says nothing. People without a right to the limits of its mount see no number. */
export function useInherited(mount: string): Inherited {
  const { data } = useQuery(mountLimitsQuery(mount));
  if (!data) return { isKnown: false, most: 'Mount default', number: 0, after: 'Mount default', cas: false };
  return { isKnown: true, ...describe(data), number: data.max_versions, cas: data.cas_required };
}

function describe({ max_versions: most, delete_version_after: after }: LimitsAnswer) {
  return {
    most: `${most === 0 ? 10 : most} (mount default)`,
    after: after === '0s' || after.startsWith('-') ? 'never' : `${after} (mount default)`,
  };
}
