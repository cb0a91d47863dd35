/** A right that a call needs: a capability on a path, as policies write both. */
export type Right = { path: string; capability: string };

const CAPABILITIES: Record<string, string> = {
  GET: 'read',
  POST: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The right that a call of the API needs. */
export function rightFor(method: string, address: string): Right {
  const [path = '', query = ''] = address.replace(/^\/(?:v1\/)?/, '').split('?', 2);
  const isList = new URLSearchParams(query).get('list') === 'true';
  return {
    path: decodeURIComponent(path).replace(/\/$/, ''),
    capability: isList ? 'list' : (CAPABILITIES[method] ?? 'read'),
  };
}

/** Whether capabilities on its path allow a call, as far as we know beforehand: a POST needs `create` or `update`. */
export function isGiven(given: string[], { capability }: Right): boolean {
  if (given.includes('root') || given.includes(capability)) return true;
  return capability === 'update' && given.includes('create');
}

/** The rule of a policy that gives a right, in HCL. */
export function ruleFor({ path, capability }: Right): string {
  return `path ${JSON.stringify(path)} {\n  capabilities = [${JSON.stringify(capability)}]\n}`;
}
