import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import { parseJson } from '../../../../libs/validation/parse-json.ts';

const MOST = 64;
const LONGEST = 512;

/** A field with texts by name. Clients send an object, or its JSON as a text. */
export const metadataField = (description: string) =>
  Type.Optional(Type.Unsafe<string | Record<string, unknown>>({ type: ['string', 'object'], description }));

/** What was sent in such a field. Throws 400. */
export function metadataOf(
  field: string,
  sent: string | Record<string, unknown> | undefined,
): Record<string, string> {
  const unreadable = badRequest(`${field} must be an object whose values are texts, or the JSON of one`);
  const parsed = typeof sent === 'string' && sent.trim() !== '' ? parse(sent, unreadable) : sent || {};
  if (!isJsonObject(parsed)) throw unreadable;
  const entries = Object.entries(parsed);
  if (entries.length > MOST) throw badRequest(`${field} has at most ${MOST} keys`);
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw unreadable;
    if (name.length > LONGEST || value.length > LONGEST)
      throw badRequest(`a key or value of ${field} has at most ${LONGEST} characters`);
  }
  return parsed as Record<string, string>;
}

function parse(text: string, unreadable: Error): unknown {
  try {
    return parseJson(text);
  } catch {
    throw unreadable;
  }
}
