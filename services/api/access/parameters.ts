import { isDeepStrictEqual } from 'node:util';
import type { Grant } from './caller.ts';

/** Names and values as a request gives them; a name may occur several times. */
export type Parameters = [name: string, value: unknown][];

/** Whether a grant has any rules about parameters. */
export function limitsParameters(grant: Grant): boolean {
  return Boolean(grant.required_parameters ?? grant.allowed_parameters ?? grant.denied_parameters);
}

/**
 * Whether a grant allows a request with these parameters. Names are case-insensitive. A value in a rule may begin or
 * end with `*`. An empty list of values means every value, and the name `*` means every parameter. Reads and writes
 * must have the required parameters; a delete need not.
 */
export function allowsParameters(grant: Grant, parameters: Parameters, isDelete: boolean): boolean {
  const given = new Map<string, unknown[]>();
  for (const [name, value] of parameters) {
    given.set(name.toLowerCase(), [...(given.get(name.toLowerCase()) ?? []), value]);
  }
  const required = isDelete ? [] : (grant.required_parameters ?? []);
  if (required.some((name) => !given.has(name))) return false;
  const denied = new Map(Object.entries(grant.denied_parameters ?? {}));
  const allowed = new Map(Object.entries(grant.allowed_parameters ?? {}));
  if (given.size > 0 && denied.has('*')) return false;
  for (const [name, values] of given) {
    const refused = denied.get(name);
    if (refused && values.some((value) => isDenied(value, refused))) return false;
    const listed = allowed.get(name);
    if (allowed.size > 0 && !listed && !allowed.has('*')) return false;
    if (listed && !values.every((value) => isAllowed(value, listed))) return false;
  }
  return true;
}

// A list is allowed if each of its members is allowed. An empty list is allowed only if the rule names it, because it
// may mean something else.
function isAllowed(value: unknown, listed: unknown[]): boolean {
  if (listed.length === 0 || isIn(value, listed)) return true;
  return Array.isArray(value) && value.length > 0 && value.every((item) => isIn(item, listed));
}

// A value is also denied as a member of a list, or of a list that is written as a text.
function isDenied(value: unknown, listed: unknown[]): boolean {
  if (listed.length === 0 || isIn(value, listed)) return true;
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[,[\]"]/).map((item) => item.trim())
      : [];
  return items.some((item) => isIn(item, listed));
}

function isIn(value: unknown, listed: unknown[]): boolean {
  return listed.some((item) => isMeant(value, item));
}

// The endpoints treat `5` and `"5"` as equal, and `true` and `"true"`.
function isMeant(value: unknown, item: unknown): boolean {
  if (!isScalar(value) || !isScalar(item)) return isDeepStrictEqual(value, item);
  const text = String(value);
  if (typeof item !== 'string' || item.length < 2) return text === String(item);
  const [isOpenBefore, isOpenAfter] = [item.startsWith('*'), item.endsWith('*')];
  if (isOpenBefore && isOpenAfter) return text.includes(item.slice(1, -1));
  if (isOpenBefore) return text.endsWith(item.slice(1));
  return isOpenAfter ? text.startsWith(item.slice(0, -1)) : text === item;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
