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
        throw new Error('a key appears twice');
      },
    });
    return { value };
  } catch (error) {
    if (doubled !== '') return { fault: `The key ${doubled} appears twice.` };
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (text.trim() === '' || position === undefined) return { fault: 'This is not valid JSON.' };
    const lines = text.slice(0, Number(position)).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return { fault: `This is not valid JSON: see line ${lines.length}, column ${column}.` };
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

/** Revealed values as what they are. */
export function valuesOf(revealed: Map<string, RevealedAnswer>): Map<string, unknown> {
  return new Map(
    [...revealed].map(([key, { text, is_text: isText }]): [string, unknown] => [
      key,
      isText ? text : parse(text),
    ]),
  );
}

/** Values as one JSON document that a person can edit. */
export function toDocument(values: Map<string, unknown>): string {
  return toJson(Object.fromEntries(values), 2);
}

/** A value as JSON, with every digit. */
export function toJson(value: unknown, space = 0): string {
  return stringify(value, undefined, space) ?? '';
}

/** What a JSON document of a whole secret says, by key. */
export function parseDocument(text: string): { values: Map<string, unknown> } | { fault: string } {
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  if (typeOf(parsed.value) !== 'object') return { fault: 'It must be an object: { … }' };
  return { values: new Map(Object.entries(parsed.value as object)) };
}

/** Which keys have another value in the second secret than in the first one, and which are gone. */
export function compareValues(
  before: Map<string, unknown>,
  after: Map<string, unknown>,
): { set: Map<string, unknown>; remove: string[] } {
  const isSame = (key: string, value: unknown): boolean =>
    before.has(key) && stringify(before.get(key)) === stringify(value);
  return {
    set: new Map([...after].filter(([key, value]) => !isSame(key, value))),
    remove: [...before.keys()].filter((key) => !after.has(key)),
  };
}
