import type { TSchema } from 'typebox';

export type JsonSchema = Record<string, unknown>;

/**
 * A schema of a request or an answer, in the form for the document. Our own marks become those of OpenAPI, so that a
 * viewer never shows what is typed into a sensitive field.
 */
export function documentSchema(schema: TSchema): JsonSchema {
  return translate(JSON.parse(JSON.stringify(schema))) as JsonSchema;
}

// Keywords whose value is a schema, a list of schemas, or schemas by name; and others that a reader of the document knows.
const WITH_SCHEMAS = new Set(['items', 'additionalProperties', 'anyOf']);
const WITH_NAMES = new Set(['properties', 'patternProperties']);
const PLAIN = new Set(
  `type description required enum const default format writeOnly minLength maxLength minimum maximum minItems maxItems
   uniqueItems maxProperties`.split(/\s+/),
);

// What only our own validator knows is left out, and so are conditions, of which generators of clients make nothing.
function translate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translate);
  if (typeof value !== 'object' || value === null) return value;
  const { sensitive, storedOnly, description, example, pattern } = value as JsonSchema;
  return {
    ...Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => translateKeyword(key, inner))),
    ...(typeof pattern === 'string' ? { pattern: portablePattern(pattern) } : {}),
    ...(storedOnly === true ? { description: `${String(description)} Sealift only stores this.` } : {}),
    ...(sensitive === true ? { writeOnly: true, format: 'password' } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function translateKeyword(key: string, value: unknown): [string, unknown][] {
  if (PLAIN.has(key)) return [[key, value]];
  if (WITH_SCHEMAS.has(key)) return [[key, translate(value)]];
  if (!WITH_NAMES.has(key)) return [];
  const byName = Object.entries(value as object).map(([name, inner]) => [name, translate(inner)]);
  return [[key, Object.fromEntries(byName)]];
}

// Other languages' engines know neither looks ahead nor `\p{Cs}`. Without them, the expression allows more than the
// service, which says what it refuses.
function portablePattern(pattern: string): string {
  return pattern
    .replaceAll(/\(\?[!=][^()]*\)/g, '')
    .replaceAll(String.raw`\p{Cs}`, '')
    .replaceAll(/\\u00([0-9a-f]{2})/g, String.raw`\x$1`);
}
