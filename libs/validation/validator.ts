import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { isIpv4Cidr, isIpv6Cidr } from './cidr.ts';
import { loosen } from './loosen.ts';

/**
 * A fault in an input: where (JSON pointer, empty for the whole input) and what is wrong. `place`: where for a person, who
 * counts the items of a list from 1: `quiet_days: item 2`.
 */
export type Fault = { pointer: string; place?: string; message: string };

export type Checked<Value> = { value: Value; unknown: string[] } | { faults: Fault[] };

/**
 * Validation is strict by default. `weak` accepts command-line values (`"true"`, `"5"`, `"a,b"`); `defaults` fills in
 * absent values.
 */
export type ValidatorOptions = { weak?: boolean; defaults?: boolean };

/**
 * The schema is compiled once, at the first check. The returned check never changes its input, and lists keys that the
 * schema does not know.
 */
export function createValidator<Schema extends TSchema>(
  schema: Schema,
  options: ValidatorOptions = {},
): (input: unknown) => Checked<Static<Schema>> {
  // Compiling all ninety of an API took its start 0.2 s of processor time.
  let compiled: ValidateFunction | undefined;
  return (input) => {
    compiled ??= compilerFor(options).compile(schema);
    const validate = compiled;
    const value = options.weak ? loosen(schema, input) : structuredClone(input);
    if (!validate(value)) return { faults: describeAll(validate.errors ?? [], value) };
    return { value: value as Static<Schema>, unknown: unknownKeys(schema, value) };
  };
}

// A name can have any length, and a refusal is for a person.
const LONGEST_NAME = 100;

/** How many faults of one input are reported. */
export const MOST_FAULTS = 20;

const compilers = new Map<string, Ajv2020>();

// One compiler for each set of options, because it keeps what it has compiled. Schemas are not validated here: compiling
// the schema of schemas took a process longer than all of ours. `test/config/valid-schemas.test.ts` does it.
function compilerFor({ weak = false, defaults = false }: ValidatorOptions): Ajv2020 {
  const key = `${weak} ${defaults}`;
  const known = compilers.get(key);
  if (known) return known;
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes: weak,
    useDefaults: defaults,
    strict: true,
    strictTypes: false,
    meta: false,
    validateSchema: false,
    // Each error then contains its schema, which may define the message.
    verbose: true,
  });
  ajv.addKeyword('sensitive');
  ajv.addKeyword('address');
  ajv.addKeyword('storedOnly');
  ajv.addKeyword('older');
  ajv.addKeyword('suggestions');
  ajv.addKeyword('applies');
  ajv.addKeyword('offWith');
  ajv.addKeyword('needed');
  ajv.addKeyword('leftOut');
  ajv.addKeyword('rare');
  ajv.addKeyword('example');
  ajv.addKeyword('errorMessage');
  ajv.addKeyword('doubt');
  ajv.addKeyword('words');
  ajv.addKeyword('clock');
  ajv.addKeyword('visible');
  ajv.addKeyword('duration');
  addFormats.default(ajv);
  ajv.addFormat('ipv4-cidr', isIpv4Cidr);
  ajv.addFormat('ipv6-cidr', isIpv6Cidr);
  compilers.set(key, ajv);
  return ajv;
}

// Reports one fault for each place, and not more than a person reads. An `if` error is left out: it adds nothing to the errors of its branches.
function describeAll(errors: ErrorObject[], input: unknown): Fault[] {
  const byPlace = new Map<string, Fault>();
  for (const error of errors) {
    if (byPlace.size === MOST_FAULTS) break;
    if (error.keyword === 'if') continue;
    const fault = describe(error);
    if (!byPlace.has(fault.pointer))
      byPlace.set(fault.pointer, { ...fault, place: placeOf(fault.pointer, input) });
  }
  return [...byPlace.values()];
}

function placeOf(pointer: string, input: unknown): string {
  let value = input;
  let place = '';
  for (const segment of pointer.split('/').slice(1)) {
    const isItem = Array.isArray(value);
    const name = isItem ? `item ${Number(segment) + 1}` : segment;
    const isNextToItem = isItem || /(?:^|: )item \d+$/.test(place);
    place += place === '' ? name : `${isNextToItem ? ': ' : '/'}${name}`;
    value = (value as Record<string, unknown> | undefined)?.[unescaped(segment)];
  }
  return place;
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function describe(error: ErrorObject): Fault {
  const wording: unknown = error.parentSchema?.['errorMessage'];
  if (typeof wording === 'string') return { pointer: error.instancePath, message: wording };
  const missing: unknown = error.params['missingProperty'];
  if (typeof missing === 'string') {
    return { pointer: `${error.instancePath}/${missing}`, message: 'is required' };
  }
  const extra: unknown = error.params['additionalProperty'];
  if (typeof extra === 'string') {
    const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object).join(', ');
    return {
      pointer: `${error.instancePath}/${extra.slice(0, LONGEST_NAME)}`,
      message: `is unknown: known are ${known}`,
    };
  }
  const allowed: unknown = error.params['allowedValues'] ?? error.params['allowedValue'];
  if (allowed !== undefined) {
    return {
      pointer: error.instancePath,
      message: `must be one of ${[allowed].flat().map(String).filter(Boolean).join(', ')}`,
    };
  }
  return { pointer: error.instancePath, message: error.message ?? 'is invalid' };
}

function unknownKeys(schema: TSchema, value: unknown): string[] {
  if (!('properties' in schema) || typeof value !== 'object' || value === null) return [];
  const known = new Set(Object.keys(schema.properties as object));
  return Object.keys(value).filter((key) => !known.has(key));
}
