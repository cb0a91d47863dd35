import type { TSchema } from 'typebox';

export type JsonSchema = Record<string, unknown>;

/**
 * A schema that validates requests, in the form for the document. Our own marks become those of OpenAPI, so that a
 * viewer never shows what is typed into a sensitive field.
 */
export function documentSchema(schema: TSchema): JsonSchema {
  return translate(JSON.parse(JSON.stringify(schema))) as JsonSchema;
}

function translate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translate);
  if (typeof value !== 'object' || value === null) return value;
  const { sensitive, example, address, ...rest } = value as JsonSchema;
  const translated = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [
      key,
      key === 'default' || key === 'enum' ? inner : translate(inner),
    ]),
  );
  return {
    ...translated,
    // A property may itself be called `sensitive` or `address`, as one of a destination type is.
    ...(sensitive === true ? { writeOnly: true, format: 'password' } : {}),
    ...(sensitive !== undefined && sensitive !== true ? { sensitive: translate(sensitive) } : {}),
    ...(address !== undefined && address !== true ? { address: translate(address) } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** The schema that some answers have in common: their keys, with the types seen. */
export function schemaOfAnswers(answers: unknown[]): JsonSchema {
  const types = [...new Set(answers.map(typeOf))];
  const objects = answers.filter((answer) => typeOf(answer) === 'object') as JsonSchema[];
  const items = answers.filter((answer) => Array.isArray(answer)).flat();
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const properties = keys.map((key) => [
    key,
    schemaOfAnswers(objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key])),
  ]);
  // A value that was null each time may be anything another time.
  if (types.length === 1 && types[0] === 'null') return {};
  return {
    type: types.length === 1 ? types[0] : types,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(types.includes('array') ? { items: items.length > 0 ? schemaOfAnswers(items) : {} } : {}),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
