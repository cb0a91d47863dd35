import { badRequest } from '../../../../../libs/errors/request-error.ts';
import { isJsonObject } from '../../../../../libs/validation/lossless.ts';
import { parseJson } from '../../../../../libs/validation/parse-json.ts';
import { scalarOf } from '../../../log-in/claims.ts';

const MOST_CLAIMS = 100;
const MOST_VALUES = 500;
const MOST_LETTERS = 2000;

type Sent = string | Record<string, unknown> | null | undefined;

/** Claims with their values, or lists of values. Clients send an object, or its JSON as a text. Throws 400. */
export function boundClaimsOf(sent: Sent): Record<string, unknown> | undefined {
  const claims = objectOf('bound_claims', sent);
  for (const [name, value] of Object.entries(claims ?? {})) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.length === 0 || values.length > MOST_VALUES || !values.every(isShort))
      throw badRequest(
        `bound_claims: the value of ${JSON.stringify(name.slice(0, 100))} must be a text of up to ${MOST_LETTERS} letters, a number or boolean, or a list of up to ${MOST_VALUES} of them`,
      );
    if (values.some((one) => typeof one === 'number' && !Number.isSafeInteger(one)))
      throw badRequest(
        `bound_claims: write the number of ${JSON.stringify(name.slice(0, 100))} as a text, in quotes: numbers with a fraction or of more than 15 digits may lose some`,
      );
  }
  return claims;
}

/** Names of metadata by claims. Throws 400. */
export function mappingsOf(sent: Sent): Record<string, string> | undefined {
  const mappings = objectOf('claim_mappings', sent);
  const targets = Object.values(mappings ?? {});
  if (!targets.every((name) => typeof name === 'string' && name !== '' && isShort(name)))
    throw badRequest('claim_mappings: each claim is given the name of its metadata');
  if (targets.includes('role'))
    throw badRequest('metadata key "role" is reserved and may not be a mapping destination');
  if (new Set(targets).size < targets.length)
    throw badRequest('claim_mappings: two claims have the same name of metadata');
  return mappings as Record<string, string> | undefined;
}

function objectOf(field: string, sent: Sent): Record<string, unknown> | undefined {
  if (sent === undefined) return undefined;
  const parsed = typeof sent === 'string' && sent.trim() !== '' ? parse(field, sent) : sent || {};
  if (!isJsonObject(parsed)) throw badRequest(`${field} must be an object, or the JSON of one`);
  const names = Object.keys(parsed);
  if (names.length > MOST_CLAIMS || names.some((name) => name.length > MOST_LETTERS))
    throw badRequest(
      `${field} has at most ${MOST_CLAIMS} claims, with names of at most ${MOST_LETTERS} characters`,
    );
  return parsed;
}

function parse(field: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw badRequest(`${field} must be an object, or the JSON of one`);
  }
}

function isShort(value: unknown): boolean {
  const text = scalarOf(value);
  return text !== undefined && text.length <= MOST_LETTERS;
}
