import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';

const MOST_KEYS = 64;
const LONGEST_KEY_BYTES = 128;
const LONGEST_VALUE_BYTES = 512;

// Letters, marks, numbers, punctuation, symbols and the plain space.
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** The field of a body with custom metadata, or with a change of them. */
export const customMetadata = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: ['string', 'null'] },
      description,
    }),
  );

/**
 * Checks custom metadata and returns it. Throws 400 with the faults (10 at most): too many keys, or keys or values that
 * are empty, too long or not printable.
 */
export function checkCustomMetadata(given: Record<string, string>): Record<string, string> {
  const faults = [
    ...(Object.keys(given).length > MOST_KEYS ? [`at most ${MOST_KEYS} keys are allowed`] : []),
    ...Object.entries(given).flatMap(([key, value]) => [
      ...describe(`the key ${JSON.stringify(key.slice(0, LONGEST_KEY_BYTES))}`, key, LONGEST_KEY_BYTES),
      ...describe(
        `the value of ${JSON.stringify(key.slice(0, LONGEST_KEY_BYTES))}`,
        value,
        LONGEST_VALUE_BYTES,
      ),
    ]),
  ];
  if (faults.length > 0)
    throw badRequest(...faults.slice(0, 10).map((fault) => `custom_metadata validation failed: ${fault}`));
  return given;
}

/** The metadata after a merge patch: null removes a key, or all of them. */
export function mergeCustomMetadata(
  present: Record<string, string> | null,
  patch: Record<string, string | null> | null,
): Record<string, string> | null {
  if (patch === null) return null;
  const merged = new Map(Object.entries(present ?? {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return checkCustomMetadata(Object.fromEntries(merged));
}

function describe(what: string, text: string, longest: number): string[] {
  const length = Buffer.byteLength(text);
  if (length < 1 || length > longest) return [`${what} must have 1 to ${longest} bytes`];
  return PRINTABLE.test(text) ? [] : [`${what} contains characters that cannot be printed`];
}
