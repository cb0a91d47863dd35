import type { TSchema } from 'typebox';

type Schema = TSchema & {
  type?: string | string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  maxItems?: number;
  maxLength?: number;
};

/** How much a body holds: `items` in all its lists and maps together, `letters` in each text. */
type Size = { items: number; letters: number };

// Other requests would be refused or carried out differently afterwards.
const LEFT_OUT = /^(?:api-rate-limit.*|enabled|type|id)$/;

/** A body that a schema allows, or nearly allows, and that is as large as the size says. */
export function nastiest(schema: Schema, size: Size): unknown {
  const { properties } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return schema.anyOf[0] && nastiest(schema.anyOf[0], size);
  if (properties) {
    const share = { ...size, items: Math.floor(size.items / Math.max(1, Object.keys(properties).length)) };
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name, inner]) => !LEFT_OUT.test(name) || inner.const !== undefined)
        .map(([name, inner]) => [name, nastiest(inner, share)]),
    );
  }
  const types = [schema.type].flat();
  if (types.includes('array')) {
    const count = Math.min(schema.maxItems ?? Infinity, size.items);
    const inner = { items: 1, letters: Math.max(1, Math.floor(size.letters / Math.max(1, count))) };
    return Array.from({ length: count }, (_, index) =>
      schema.items?.properties ? nastiest(schema.items, inner) : textOf(inner.letters, index),
    );
  }
  if (types.includes('object')) {
    return Object.fromEntries(
      Array.from({ length: size.items }, (_, index) => [`key-${index}`, `value-${index}`]),
    );
  }
  if (types.includes('string')) return textOf(Math.min(schema.maxLength ?? Infinity, size.letters), 0);
  return types.includes('boolean') ? false : 1;
}

// Numbers at the end, so that the texts differ and share a long beginning.
function textOf(letters: number, index: number): string {
  return `${'a'.repeat(Math.max(0, letters - 6))}${index}`;
}
