import { badRequest } from '../../../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../../../libs/validation/lossless.ts';
import { parseJson } from '../../../../../libs/validation/parse-json.ts';

const MOST = 64;
const LONGEST = 512;

/** Metadata as texts by name. Clients send an object, or its JSON as a text. Throws 400. */
export function metadataOf(sent: string | Record<string, unknown> | undefined): Record<string, string> {
  const parsed = typeof sent === 'string' && sent.trim() !== '' ? parse(sent) : sent || {};
  if (!isJsonObject(parsed)) throw unreadable();
  const entries = Object.entries(parsed);
  if (entries.length > MOST) throw badRequest(`metadata has at most ${MOST} keys`);
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw unreadable();
    if (name.length > LONGEST || value.length > LONGEST)
      throw badRequest(`a key or value of metadata has at most ${LONGEST} characters`);
  }
  return parsed as Record<string, string>;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw unreadable();
  }
}

function unreadable(): Error {
  return badRequest('metadata must be an object of texts, or the JSON of one');
}
