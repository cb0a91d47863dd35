import { badRequest } from '../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

// As JSON spells them: a null character and half a surrogate pair. Postgres stores neither.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** The JSON object that a body is, empty where there is no body or it is null; for calls whose schema depends on more than the path. Throws 400 or JsonError. */
export function readObject(rawBody: string): Record<string, unknown> {
  if (rawBody.trim() === '') return {};
  const value = parseJson(rawBody) ?? {};
  if (!isJsonObject(value)) throw badRequest('the body must be a JSON object');
  if (UNSTORABLE.test(JSON.stringify(value))) {
    throw badRequest('the body must not contain null characters or halves of surrogate pairs');
  }
  return value;
}
