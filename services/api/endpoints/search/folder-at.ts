import { lookUpMount, type Mount } from '../../../../libs/store/secrets/mounts.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

/** A folder of a mount, without slashes at its ends; empty: the whole mount. */
export type MountFolder = { mount: Mount; folder: string };

/** A mount, or a folder of it, by its whole path; undefined if no mount is there. */
export async function folderAt(
  { services, namespace }: Pick<ApiRequest, 'services' | 'namespace'>,
  below: string,
): Promise<MountFolder | undefined> {
  const path = below.split('/').filter(Boolean).join('/');
  const mount = await lookUpMount(services.db, namespace.id, path);
  return mount && { mount, folder: path.slice(mount.path.length + 1) };
}
