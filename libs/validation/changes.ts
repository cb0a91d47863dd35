import { isDeepStrictEqual } from 'node:util';
import { isShortList, tellList, tellListChange, tellText } from './told.ts';

/**
 * What became of an attribute. A secret shows only fingerprints, which tell equal values apart from others. Of a long list
 * of names, `added` and `removed` tell what differs.
 */
export type AttributeChange = { old: unknown; new: unknown };

type Options = {
  isSecret?: (name: string) => boolean;
  /** A keyed hash of the value of an attribute, as text. */
  fingerprint?: (value: string, name: string) => string;
};

const LONGEST = 1000;
const MOST = 100;

/**
 * The attributes that differ between two states of a document. Values that are secret appear as fingerprints; without a
 * `fingerprint` they are left out. Of a value that is long, the beginning appears with a fingerprint.
 */
export function describeChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  { isSecret = () => false, fingerprint }: Options = {},
): Record<string, AttributeChange> {
  const show = (name: string, value: unknown): unknown => {
    if (value === undefined || value === null || value === '') return value ?? null;
    if (!isSecret(name)) return tell(value);
    return fingerprint ? `fingerprint:${fingerprint(JSON.stringify(value), name)}` : '…';
  };
  const changeOf = (name: string): AttributeChange => {
    const [old, next] = [ownOf(before, name), ownOf(after, name)];
    if (!isSecret(name) && areNames(old) && areNames(next) && !(isShortList(old) && isShortList(next)))
      return tellListChange(old ?? [], next ?? []) as AttributeChange;
    return { old: show(name, old), new: show(name, next) };
  };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(ownOf(before, name), ownOf(after, name)));
  return Object.fromEntries(changed.slice(0, MOST).map((name) => [name, changeOf(name)]));
}

/**
 * What a request wrote that creates a document or changes it: `change` tells which, and `changed` the attributes that differ
 * from those before, or of a new document from `defaults`.
 */
export function describeWrite(
  before: object | undefined,
  after: object,
  defaults: object = {},
): { change: 'created' | 'updated' | 'none'; changed: Record<string, AttributeChange> } {
  const changed = describeChanges({ ...(before ?? defaults) }, { ...after });
  if (!before) return { change: 'created', changed };
  return { change: Object.keys(changed).length > 0 ? 'updated' : 'none', changed };
}

/** The fields of a body that somebody sent, as a trail tells them: what is long is cut. */
export function describeFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, tell(value)]));
}

// People choose some of the names, and every object has a `constructor`.
function ownOf(attributes: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

function tell(value: unknown): unknown {
  if (typeof value === 'string') return tellText(value);
  if (Array.isArray(value)) return tellList(value);
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? value : tellText(text);
}

function areNames(value: unknown): value is string[] | undefined | null {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
