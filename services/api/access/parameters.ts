import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../../../libs/errors/request-error.ts';
import type { Grant } from './caller.ts';
import type { ParameterValues } from './policy.ts';

// Some 30 ms.
const MOST_STEPS = 5_000_000;

/** Names and values as a request gives them; a name may occur several times. */
export type Parameters = [name: string, value: unknown][];

/** Whether a grant has any rules about parameters. */
export function limitsParameters(grant: Grant): boolean {
  return Boolean(grant.required_parameters ?? grant.allowed_parameters ?? grant.denied_parameters);
}

/**
 * Whether a grant allows a request with these parameters. Names are case-insensitive. A value in a rule may begin or
 * end with `*`. An empty list of values means every value, and the name `*` means every parameter. Reads and writes
 * must have the required parameters; a delete need not. Throws 400 if the comparison would take too long.
 */
export function allowsParameters(grant: Grant, parameters: Parameters, isDelete: boolean): boolean {
  const given = new Map<string, unknown[]>();
  for (const [name, value] of parameters) {
    const values = given.get(name.toLowerCase());
    if (values) values.push(value);
    else given.set(name.toLowerCase(), [value]);
  }
  const required = isDelete ? [] : (grant.required_parameters ?? []);
  if (required.some((name) => !given.has(name))) return false;
  const { denied, allowed } = listedIn(grant);
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

/** The values that a rule lists for one parameter, prepared for many comparisons. */
type Listed = {
  isEvery: boolean;
  texts: Set<string>;
  /** Values that begin or end in `*`. */
  patterns: string[];
  /** Lists and objects. */
  others: { item: unknown; size: number }[];
  /** How many comparisons with patterns, lists and objects one request may still cost. */
  left: number;
};

type ListedByName = Map<string, Listed>;

const prepared = new WeakMap<Grant, { denied: ListedByName; allowed: ListedByName }>();

function listedIn(grant: Grant): { denied: ListedByName; allowed: ListedByName } {
  const known = prepared.get(grant) ?? {
    denied: prepare(grant.denied_parameters),
    allowed: prepare(grant.allowed_parameters),
  };
  prepared.set(grant, known);
  for (const listed of [...known.denied.values(), ...known.allowed.values()]) listed.left = MOST_STEPS;
  return known;
}

function prepare(values: ParameterValues = {}): ListedByName {
  return new Map(
    Object.entries(values).map(([name, listed]) => {
      const scalars = listed.filter(isScalar);
      const patterns = scalars.filter((item): item is string => typeof item === 'string' && isPattern(item));
      return [
        name,
        {
          isEvery: listed.length === 0,
          texts: new Set(scalars.map(String).filter((text) => !isPattern(text))),
          patterns,
          others: listed
            .filter((item) => !isScalar(item))
            .map((item) => ({ item, size: JSON.stringify(item).length })),
          left: MOST_STEPS,
        },
      ];
    }),
  );
}

function isPattern(text: string): boolean {
  return text.length > 1 && (text.startsWith('*') || text.endsWith('*'));
}

// A list is allowed if each of its members is allowed. An empty list is allowed only if the rule names it, because it
// may mean something else.
function isAllowed(value: unknown, listed: Listed): boolean {
  if (listed.isEvery || isIn(value, listed)) return true;
  return Array.isArray(value) && value.length > 0 && value.every((item) => isIn(item, listed));
}

// A value is also denied as a member of a list, or of a list that is written as a text.
function isDenied(value: unknown, listed: Listed): boolean {
  if (listed.isEvery || isIn(value, listed)) return true;
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[,[\]"]/).map((item) => item.trim())
      : [];
  return items.some((item) => isIn(item, listed));
}

// The endpoints treat `5` and `"5"` as equal, and `true` and `"true"`.
function isIn(value: unknown, listed: Listed): boolean {
  if (!isScalar(value)) return listed.others.some((other) => isSame(value, other, listed));
  const text = String(value);
  return listed.texts.has(text) || listed.patterns.some((pattern) => matches(text, pattern, listed));
}

function isSame(value: unknown, { item, size }: Listed['others'][number], listed: Listed): boolean {
  spend(listed, 100 + size);
  return isDeepStrictEqual(value, item);
}

function matches(text: string, pattern: string, listed: Listed): boolean {
  const [isOpenBefore, isOpenAfter] = [pattern.startsWith('*'), pattern.endsWith('*')];
  // A search can compare every letter with every letter.
  spend(listed, isOpenBefore && isOpenAfter ? 10 + (text.length * pattern.length) / 10 : 10);
  if (isOpenBefore && isOpenAfter) return text.includes(pattern.slice(1, -1));
  return isOpenBefore ? text.endsWith(pattern.slice(1)) : text.startsWith(pattern.slice(0, -1));
}

// A caller chooses how many values it sends, and the author of the policy with how many they are compared.
function spend(listed: Listed, steps: number): void {
  listed.left -= steps;
  if (listed.left < 0)
    throw badRequest(
      'the request has too many values for the patterns of the rules about parameters: send fewer',
    );
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
