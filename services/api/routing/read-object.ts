import { badRequest } from '../../../libs/errors/request-error.ts';
import { LIMITS, requireWithin, type Limit } from '../limits.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

// A null character and half of a surrogate pair, as JSON escapes them. Postgres stores neither.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Parses a body as a JSON object; empty if there is no body or it is null. For calls whose schema depends on more than
 * the path; `most`: how many members it may have. Throws 400 or JsonError.
 */
export function readObject(rawBody: string, most: Limit = LIMITS.bodyParameters): Record<string, unknown> {
  if (rawBody.trim() === '') return {};
  const value = parseJson(rawBody) ?? {};
  if (!isJsonObject(value)) throw badRequest('the body must be a JSON object');
  requireWithin(most, Object.keys(value).length);
  if (UNSTORABLE.test(JSON.stringify(value))) {
    throw badRequest('the body must not contain null characters or halves of surrogate pairs');
  }
  return value;
}
