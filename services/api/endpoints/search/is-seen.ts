import type { ApiRequest } from '../../routing/endpoint.ts';

/** Whether the caller may know that there is a secret: it may read the secret, or list its folder. */
export function isSeen({ may }: ApiRequest, { mount, path }: { mount: string; path: string }): boolean {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    may(`${mount}/data/${path}`, 'read') ||
    may(`${mount}/metadata/${path}`, 'read') ||
    may([mount, 'metadata', folder].filter(Boolean).join('/'), 'list')
  );
}
