import { hostileBodies, hostileHeaders, hostileTexts, hostileValues } from './hostile.ts';
import type { Operation } from './operations.ts';
import type { Random } from './random.ts';
import type { RawRequest } from './send.ts';

// With these, all later requests would be refused or would wait for a mail server. Separate tests cover them.
const LEFT_OUT = new Set(['api-rate-limiting-enabled', 'api-rate-limit', 'enabled']);

const ORDINARY: Record<string, string[]> = {
  mount: ['secret', 'plain', 'secret/data', 'other'],
  path: ['app/db', 'app', 'team-a', 'secret', 'x/y/z'],
  type: ['cloud1-sm', 'aws-sm'],
  name: ['production', 'example', 'default', 'app-reader'],
  secret: ['secret/app/db'],
  id: ['polver-1'],
  kind: ['workspaces', 'policy-sets'],
  usageId: ['ws-1'],
};

/** A request for an operation with a fault in it. `tame`: its path and method are still those of the operation. */
export function mutate(random: Random, operation: Operation, token: string): RawRequest & { tame: boolean } {
  let tame = true;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(0.75)) return encodePath(random.pick(ORDINARY[name] ?? ['x']));
    tame = false;
    return hostilePath(random);
  });
  const decorated = random.chance(0.05)
    ? random.pick(['//', '/v1', '/v1/v1', '/./', '/%2e%2e']) + path
    : path;
  if (decorated !== path) tame = false;
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    ...(operation.contentType ? { 'content-type': operation.contentType } : {}),
    ...(random.chance(0.2) ? random.pick(hostileHeaders) : {}),
  };
  const body = bodyOf(random, operation);
  return {
    method: operation.verb.toUpperCase(),
    target: `${decorated}${queryOf(random, operation)}`.slice(0, 14_000),
    headers,
    ...(body === undefined ? {} : { body }),
    tame,
  };
}

function bodyOf(random: Random, operation: Operation): string | Buffer | undefined {
  if (operation.verb === 'get') return random.chance(0.02) ? '{}' : undefined;
  if (random.chance(0.15)) return random.pick(hostileBodies);
  if (!operation.contentType) return undefined;
  const value = structuredClone(operation.example ?? {});
  for (let count = 1 + random.below(3); count > 0; count -= 1) disturb(random, value, operation.bodyKeys);
  return JSON.stringify(value, (key, inner: unknown) => (LEFT_OUT.has(key) ? undefined : inner));
}

function disturb(random: Random, value: unknown, keys: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const target = value as Record<string, unknown>;
  const present = Object.keys(target);
  const deeper = present.filter((key) => typeof target[key] === 'object' && target[key] !== null);
  if (deeper.length > 0 && random.chance(0.7)) return disturb(random, target[random.pick(deeper)], keys);
  const names = [...present, ...keys, ...hostileTexts.slice(0, 20)];
  const name = random.pick(names);
  if (name === '__proto__') return;
  if (random.chance(0.15)) delete target[name];
  else target[name] = structuredClone(random.pick(hostileValues));
}

function queryOf(random: Random, operation: Operation): string {
  const parts: string[] = operation.requiredQuery.map(
    (name) => `${encodeURIComponent(name)}=${name === 'list' ? 'true' : 'secret'}`,
  );
  if (random.chance(0.5)) {
    const names = [...operation.query, '__proto__[polluted]', 'constructor', 'list', 'version'];
    for (let count = random.below(3); count > 0; count -= 1) {
      const value = random.pick(hostileTexts).slice(0, 3000);
      parts.push(`${encodeURIComponent(random.pick(names))}=${encodeURIComponent(wellFormed(value))}`);
    }
  }
  if (random.chance(0.03))
    parts.push(random.pick(['%', '%ff=%fe', 'list=true&list=false', '&&&=&', 'a[b][c]=1']));
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function hostilePath(random: Random): string {
  if (random.chance(0.2))
    return random.pick(['%ff', '%c0%ae', '%2f', '%5c..', '%2e', '%252e%252e', ';x=1', '~kv2']);
  return encodePath(random.pick(hostileTexts).slice(0, 5000));
}

function encodePath(text: string): string {
  return wellFormed(text).split('/').map(encodeURIComponent).join('/');
}

// A lone surrogate cannot be encoded in a URL.
function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/gu, '?');
}
