import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { RevealedAnswer, ValueType } from '../../../../../api/contract/secrets.ts';

/** What a text says as JSON. Numbers keep all their digits. */
export type Parsed = { value: unknown } | { fault: string };

export function parseJson(text: string): Parsed {
  let doubled = '';
  try {
    const value = parse(text, undefined, {
      onDuplicateKey: ({ key }) => {
        doubled = key;
        throw new Error('a key is there twice');
      },
    });
    return { value };
  } catch (error) {
    if (doubled !== '') return { fault: `The key ${doubled} is there twice.` };
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (text.trim() === '' || position === undefined) return { fault: 'This is not JSON.' };
    return { fault: `This is not JSON: see line ${text.slice(0, Number(position)).split('\n').length}.` };
  }
}

/** The type of a value, as the API tells it. */
export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return isLosslessNumber(value) ? 'number' : 'object';
}

/** Revealed values as one JSON document that a person can edit. */
export function toDocument(values: Map<string, RevealedAnswer>): string {
  const entries = [...values].map(([key, { text, is_text: isText }]): [string, unknown] => [
    key,
    isText ? text : parse(text),
  ]);
  return stringify(Object.fromEntries(entries), undefined, 2) ?? '{}';
}

/** Which keys have another value in the second document than in the first one, and which are gone. */
export function compareDocuments(
  before: string,
  after: string,
): { set: Map<string, unknown>; remove: string[] } | { fault: string } {
  const parsed = parseJson(after);
  if ('fault' in parsed) return parsed;
  if (typeOf(parsed.value) !== 'object') return { fault: 'The whole must be an object: { … }' };
  const old = new Map(Object.entries(parse(before) as object).map(([key, value]) => [key, stringify(value)]));
  const now = Object.entries(parsed.value as object);
  const names = new Set(now.map(([key]) => key));
  return {
    set: new Map(now.filter(([key, value]) => old.get(key) !== stringify(value))),
    remove: [...old.keys()].filter((key) => !names.has(key)),
  };
}
