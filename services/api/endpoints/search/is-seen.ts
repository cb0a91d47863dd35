import type { Namespace } from '../../../../libs/store/access/namespaces.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

/** Whether the caller may know that there is a secret, in a namespace below too: it may read the secret, or list its folder. */
export function isSeen(
  { may }: ApiRequest,
  { mount, path }: { mount: string; path: string },
  namespace?: Namespace,
): boolean {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    may(`${mount}/data/${path}`, 'read', namespace) ||
    may(`${mount}/metadata/${path}`, 'read', namespace) ||
    may([mount, 'metadata', folder].filter(Boolean).join('/'), 'list', namespace)
  );
}
