import { Type } from 'typebox';
import { badRequest, notFound, RequestError } from '../../../../libs/errors/request-error.ts';
import type { SecretKey } from '../../../../libs/store/secrets/secrets.ts';
import { loosen } from '../../../../libs/validation/loosen.ts';
import { isJsonObject, parseLossless, stringifyLossless } from '../../../../libs/validation/lossless.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { countValues } from '../../../../libs/validation/parse-json.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

// A patch can make a secret larger than any body, so the value has a limit too.
const LARGEST_VALUE = LIMITS.secretBytes.value;
const LONGEST_PATH_BYTES = LIMITS.secretPathBytes.value;
const LARGEST_INTEGER = 2 ** 31 - 1;

/** The number of a version in a query; 0 or absent: the current one. */
export const versionQuery = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Number of the version. Absent or 0: the current version.' }),
);

const writtenOptions = Type.Object({ options: Type.Object({}) });

/** The secret that a path of a version 2 mount names after its first segment (`data`, `metadata`, …). */
export function secretOf(request: Pick<ApiRequest, 'mount'>): SecretKey {
  const rest = request.mount?.rest ?? '';
  return secretAt(request, rest.slice(rest.indexOf('/') + 1));
}

/** A secret of the request's mount. Throws 400 for a path that is too long to be stored. */
export function secretAt(request: Pick<ApiRequest, 'mount'>, path: string): SecretKey {
  if (!request.mount) throw notFound();
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES) {
    throw badRequest(`the path of a secret must not be longer than ${LONGEST_PATH_BYTES} bytes`);
  }
  return { mount: request.mount.mount, path };
}

/** The version that a query names; undefined for the current one. Throws 404 for a number that no version can have. */
export function versionOf(query: { version?: number }): number | undefined {
  if ((query.version ?? 0) > LARGEST_INTEGER) throw notFound();
  return query.version || undefined;
}

/**
 * The versions that a body names, sorted, without numbers that no version can have. Throws 400 with `refusal` if the body
 * names none, and 400 if it names too many for the audit trail to tell each.
 */
export function versionsOf(body: { versions?: number[] }, refusal: string): number[] {
  if (!body.versions || body.versions.length === 0) throw badRequest(refusal);
  requireWithin(LIMITS.versions, body.versions.length);
  const possible = body.versions.filter((version) => version > 0 && version <= LARGEST_INTEGER);
  return [...new Set(possible)].toSorted((left, right) => left - right);
}

const NO_CAS = 'error parsing check-and-set parameter';

/** The version that a write expects to be current; undefined if it expects none. Throws 400 for an invalid expectation. */
export function casOf(body: { options?: unknown }): number | undefined {
  const { options } = loosen(writtenOptions, { options: body.options }) as { options?: unknown };
  if (options === undefined || options === null) return undefined;
  // We refuse invalid options instead of ignoring them. Otherwise a write that was meant to check the version could
  // overwrite a newer one.
  if (!isJsonObject(options)) throw badRequest(NO_CAS);
  if (!Object.hasOwn(options, 'cas')) return undefined;
  const cas = options['cas'];
  const text = typeof cas === 'string' || typeof cas === 'number' ? String(cas) : '';
  // For a number that cannot be a version, clients look for the text after the colon.
  if (/^-\d{1,10}$/.test(text))
    throw badRequest(`${NO_CAS}: a negative one did not match the current version`);
  if (!/^\d{1,10}$/.test(text)) throw badRequest(NO_CAS);
  return Number(text);
}

/** The data of a write, with every number as it was written. Throws 400 if there is none. */
export function dataOf(rawBody: string): Record<string, unknown> {
  const body = parseText(rawBody);
  const given = isJsonObject(body) && Object.hasOwn(body, 'data') ? body['data'] : undefined;
  if (given === undefined || given === null) throw badRequest('no data provided');
  const data = typeof given === 'string' ? parseText(given) : given;
  if (!isJsonObject(data)) throw badRequest('data must be an object');
  return data;
}

/** The JSON text to store. Throws 413 over the limits. */
export function serialise(data: unknown): string {
  const json = stringifyLossless(data);
  if (Buffer.byteLength(json) > LARGEST_VALUE) {
    throw new RequestError('too_large', [
      `the data of a secret must not be larger than ${LARGEST_VALUE} bytes of JSON`,
    ]);
  }
  requireWithin(LIMITS.bodyValues, countValues(json));
  return json;
}

/** Parses a body, or a text in it, without losing a digit. Throws JsonError. */
export function parseText(text: string): unknown {
  return text.trim() === '' ? {} : parseLossless(text);
}
