import type { ValueType } from '../../../../../api/contract/secrets.ts';
import { pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import type { SecretName } from '../split-path.ts';
import { parseJson, typeOf, type Parsed } from './json.ts';

/** A value as it is typed: a text is stored as it stands, a number and JSON as what they say. */
export type Typed = { format: 'text' | 'number' | 'json'; text: string };

/** A key that is added; an empty `name`: it has none yet. */
export type Added = Typed & { name: string };

/** A key of a secret, without its value. */
export type Key = { name: string; type: ValueType };

/** What a new version has in place of the old one. */
export type Change = { set: Map<string, unknown>; remove: string[] };

/** The call that writes a new version, based on `version`. */
export function editOf({ mount, path }: SecretName, version: number, { set, remove }: Change): Call {
  return {
    method: 'PATCH',
    path: `${pathOf(mount)}/data/${pathOf(path)}`,
    body: {
      data: Object.fromEntries(set),
      options: { cas: version, replace: true, ...(remove.length > 0 ? { remove } : {}) },
    },
  };
}

/** The call that writes a new version with nothing but these values, while `newest` is the newest version. */
export function aloneOf({ mount, path }: SecretName, newest: number, values: Map<string, unknown>): Call {
  return {
    method: 'POST',
    path: `${pathOf(mount)}/data/${pathOf(path)}`,
    body: { data: Object.fromEntries(values), options: { cas: newest } },
  };
}

/** The format in which a value is edited, so that it keeps its type. */
export function formatFor(type: ValueType): Typed['format'] {
  return type === 'text' || type === 'number' ? type : 'json';
}

/** The value that a typed one stands for. */
export function valueOf({ format, text }: Typed): Parsed {
  if (format === 'text') return { value: text };
  const parsed = parseJson(text);
  if (format === 'json') return parsed;
  return 'value' in parsed && typeOf(parsed.value) === 'number'
    ? parsed
    : { fault: 'This is not a number, such as 5432 or -1.5e3.' };
}

/** Says that a value gets another type than it has; empty if it keeps it. */
export function turnOf(before: ValueType, typed: Typed): string {
  const parsed = valueOf(typed);
  const after = 'value' in parsed ? typeOf(parsed.value) : before;
  return after === before ? '' : `It was ${NOUNS[before]} and becomes ${NOUNS[after]}.`;
}

/** A type as people call it. */
export function nounOf(type: ValueType): string {
  return NOUNS[type];
}

const NOUNS: Record<ValueType, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  list: 'a list',
  object: 'an object',
};

/** Why an added key cannot be written; empty if it can. */
export function faultOf(one: Added, keys: Key[], added: Added[]): string {
  if (one.name === '') return one.text === '' ? '' : 'This value needs the name of its key.';
  const isThere = keys.some(({ name }) => name === one.name);
  if (isThere) return 'This key exists: replace its value above.';
  return added.some((other) => other !== one && other.name === one.name) ? 'This key appears twice.' : '';
}

/** What the edits of keys mean, or which of them has a fault. */
export function changeOf(
  keys: Key[],
  edits: Map<string, Typed | null>,
  added: Added[],
): Change | { fault: string } {
  const named = added.filter(({ name, text }) => name !== '' || text !== '');
  const typed = [...edits, ...named.map((one): [string, Typed] => [one.name, one])];
  const set = new Map<string, unknown>();
  const wrong = named.find((one) => faultOf(one, keys, added) !== '');
  if (wrong) return wrongKey(wrong.name);
  for (const [name, one] of typed) {
    if (one === null) continue;
    const parsed = valueOf(one);
    if ('fault' in parsed) return wrongKey(name);
    set.set(name, parsed.value);
  }
  return { set, remove: [...edits].filter(([, one]) => one === null).map(([name]) => name) };
}

function wrongKey(name: string): { fault: string } {
  return { fault: name === '' ? 'A value has no name.' : `The key ${name} has a fault.` };
}
