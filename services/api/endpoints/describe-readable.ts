import { describeSecrets } from '../../../libs/store/secrets/describe.ts';
import type { Mount } from '../../../libs/store/secrets/mounts.ts';
import { filterInSlices } from '../../../libs/time/slices.ts';
import type { ListedSecretAnswer } from '../contract/secrets.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

const LINKS = 'sys/sync/associations/destinations';

/** What the caller may know of secrets of a mount, by path. Those whose metadata it may not read are left out. */
export async function describeReadable(
  { services, may }: ApiRequest,
  mount: Mount,
  paths: string[],
): Promise<Map<string, ListedSecretAnswer>> {
  const base = mount.version === 2 ? `${mount.path}/metadata/` : `${mount.path}/`;
  const readable = await filterInSlices(paths, (path) => may(base + path, 'read'));
  const rows = await describeSecrets(services.db, mount.id, readable, { links: may(LINKS, 'read') });
  return new Map(
    rows.map(({ path, updated_at: updated, ...row }) => [
      path,
      { ...row, updated_time: updated.toISOString() },
    ]),
  );
}
