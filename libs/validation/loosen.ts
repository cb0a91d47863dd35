import type { TSchema } from 'typebox';
import { parseBoolean } from './boolean.ts';
import { parseDuration } from './duration.ts';
import { checkDepth, countValues, JsonError } from './parse-json.ts';

const MOST_VALUES = 10_000;

/**
 * Copies a request body and converts lists and maps in command-line notation to their JSON form. Throws JsonError if such
 * a text nests too deep or has too many values.
 */
export function loosen(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  // Without a schema a value is neither checked nor converted, so it need not be copied.
  const isOpen = !('additionalProperties' in schema || 'patternProperties' in schema);
  const properties = ('properties' in schema ? schema.properties : {}) as Record<string, TSchema>;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [key, property ? loosenValue(property, value) : isOpen ? value : structuredClone(value)];
    }),
  );
}

function loosenValue(schema: TSchema, value: unknown): unknown {
  const types: unknown[] = 'type' in schema ? [schema.type].flat() : [];
  if (types.includes('array')) {
    // Go's clients write an empty list as null.
    const list = value === null && !types.includes('null') ? [] : toList(value);
    const items = 'items' in schema ? (schema.items as TSchema) : undefined;
    return items && Array.isArray(list) ? list.map((item) => loosenNumber(items, item)) : list;
  }
  if (types.includes('object')) return toMap(value);
  if (types.includes('boolean') && typeof value === 'string') return parseBoolean(value) ?? value;
  if ('duration' in schema && typeof value === 'string') return parseDuration(value) ?? value;
  return isUnchecked(schema) ? value : loosenNumber(schema, structuredClone(value));
}

function isUnchecked(schema: TSchema): boolean {
  return !Object.keys(schema).some((keyword) => !['description', 'sensitive', 'example'].includes(keyword));
}

// Ajv converts `1e400` to Infinity and lets it pass every limit.
function loosenNumber(schema: TSchema, value: unknown): unknown {
  const types: unknown[] = 'type' in schema ? [schema.type].flat() : [];
  return typeof value === 'string' && isNumeric(types) && !Number.isFinite(Number(value))
    ? Number.NaN
    : value;
}

function isNumeric(types: unknown[]): boolean {
  return !types.includes('string') && (types.includes('integer') || types.includes('number'));
}

// A body counts such a text as one value.
function refuseMany(text: string): void {
  const isJson = /^[[{]/.test(text);
  if (isJson) checkDepth(text);
  const count = isJson ? countValues(text) : countCommas(text) + 1;
  if (count > MOST_VALUES)
    throw new JsonError(`a list in a text has ${count} values, at most ${MOST_VALUES} are allowed`);
}

function countCommas(text: string): number {
  let count = 0;
  for (let comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', comma + 1)) count += 1;
  return count;
}

// `"a,b"` or a single value becomes a list.
function toList(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.trim();
    refuseMany(text);
    if (text.startsWith('[')) return parseJson(text) ?? value;
    return text === '' ? [] : text.split(',').map((item) => item.trim());
  }
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return structuredClone(value);
}

// `"k=v,k2=v2"`, `["k=v"]` or a JSON text becomes a map.
function toMap(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.trim();
    refuseMany(text);
    if (text.startsWith('{')) return parseJson(text) ?? value;
    return text === '' ? {} : (pairs(text.split(',')) ?? value);
  }
  if (Array.isArray(value)) return pairs(value) ?? structuredClone(value);
  return structuredClone(value);
}

function pairs(items: unknown[]): Record<string, string> | undefined {
  const entries = items.map((item) => /^([^=]+)=(.*)$/s.exec(typeof item === 'string' ? item.trim() : ''));
  if (entries.some((entry) => entry === null)) return undefined;
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? '']));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
