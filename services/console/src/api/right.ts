/** A right that a call needs: a capability on a path, as policies write both. A path that ends in `/+` or `/*` is any below it. */
export type Right = { path: string; capability: string };

/** The right to the audit trail. */
export const AUDIT: Right = { path: 'api/v2/admin/audit-events', capability: 'read' };

/** The right to create mounts. */
export const MOUNTS: Right = { path: 'sys/mounts/+', capability: 'update' };

const CAPABILITIES: Record<string, string> = {
  GET: 'read',
  POST: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The right that a method of the API needs on an address. */
export function rightFor(method: string, address: string): Right {
  const [path = '', query = ''] = address.replace(/^\/(?:v1\/)?/, '').split('?', 2);
  const isList = new URLSearchParams(query).get('list') === 'true';
  return {
    path: decodeURIComponent(path).replace(/\/$/, ''),
    capability: isList ? 'list' : (CAPABILITIES[method] ?? 'read'),
  };
}

/** All rights that a call needs. `rights`: what the API asks for instead of the right of the method on the address. */
export function rightsOf({
  method,
  path,
  headers,
  rights,
}: {
  method: string;
  path: string;
  headers?: Record<string, string>;
  rights?: Right[] | undefined;
}): Right[] {
  if (rights) return rights;
  const right = rightFor(method, path);
  return [headers?.['If-None-Match'] === '*' ? { ...right, capability: 'create' } : right];
}

/** The right to the values of a secret. */
export function readOf({ mount, path }: { mount: string; path: string }): Right {
  return { path: `${mount}/data/${path}`, capability: 'read' };
}

/** Whether capabilities on its path hold a right. */
export function isGiven(given: string[], { capability }: Right): boolean {
  return given.includes('root') || given.includes(capability);
}

/** Whether they may be enough for a call, as far as we know beforehand: most POSTs need `create` or `update`. */
export function mayBeEnough(given: string[], right: Right): boolean {
  return isGiven(given, right) || (right.capability === 'update' && given.includes('create'));
}

/**
 * The rules of a policy that give rights, in HCL. `namespace`: where the paths are, seen from the namespace of the policy;
 * the paths of site administration are in none.
 */
export function rulesFor(rights: Right[], namespace = ''): string {
  const paths = [...new Set(rights.map(({ path }) => path))];
  return paths
    .map((path) => {
      const whole = namespace === '' || isOfSite(path) ? path : `${namespace}/${path}`;
      const own = rights.filter((right) => right.path === path).map(({ capability }) => `"${capability}"`);
      return `path ${JSON.stringify(whole)} {\n  capabilities = [${own.join(', ')}]\n}`;
    })
    .join('\n');
}

/** Whether a path belongs to the whole installation, whatever namespace the page shows. */
export function isOfSite(path: string): boolean {
  return path.startsWith('api/');
}
