import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { checkDepth, JsonError } from './parse-json.ts';

// Matches a number that may lose digits as a double. A number inside a string matches too, which only costs time. Every
// number of a JSON text is at its start or after one of these characters.
const RISKY_NUMBER = /(?:^|[:[,\s])(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * Parses JSON so that `stringifyLossless` writes every number with its original digits. If a key occurs twice, the last
 * one counts. Throws JsonError.
 */
export function parseLossless(text: string): unknown {
  checkDepth(text);
  try {
    // The engine's own parser is thirty times faster for long texts.
    if (!RISKY_NUMBER.test(text)) return JSON.parse(text);
    return parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    throw new JsonError('error parsing JSON: the text is not valid JSON');
  }
}

/** The same of a text that we have written, and that holds an object. Throws Error if it does not. */
export function parseStoredObject(text: string): Record<string, unknown> {
  const value = parseLossless(text);
  if (isJsonObject(value)) return value;
  throw new Error('a stored value is not a JSON object');
}

/** Compact JSON of a result of `parseLossless`. */
export function stringifyLossless(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** Whether a parsed value is a JSON object: not a list, null or a number kept as text. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
