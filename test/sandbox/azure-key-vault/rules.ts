import type { FakeRequest } from '../fake-server.ts';
import { badParameter } from './vendor-error.ts';

export type Input = {
  value?: unknown;
  contentType?: unknown;
  tags?: unknown;
  attributes?: { enabled?: unknown };
};

const MOST_BYTES = 25 * 1024;
const MOST_TAGS = 15;
const LONGEST_TAG = 256;
const API_VERSION = /^(?:7\.\d|20\d\d-\d\d-\d\d)(?:-preview(?:\.\d)?)?$/;

/** Every call must name a version of the API. */
export function checkApiVersion({ query }: FakeRequest): void {
  if (!API_VERSION.test(query.get('api-version') ?? ''))
    throw badParameter('A valid api-version query parameter must be specified.');
}

export function checkName(name: string): void {
  if (!/^[0-9a-zA-Z-]{1,127}$/.test(name))
    throw badParameter(`The request URI contains an invalid name: ${name}`);
}

/** The vault accepts JSON only; a missing body is not JSON. */
export function inputOf(request: FakeRequest): Input {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw badParameter('The request body is not of an accepted media type.');
  try {
    const parsed: unknown = JSON.parse(request.body.toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // The throw below reports it.
  }
  throw badParameter('The request body is missing or cannot be read.');
}

export function valueOf({ value }: Input): string {
  if (typeof value !== 'string') throw badParameter('The parameter value is missing.');
  if (Buffer.byteLength(value) > MOST_BYTES)
    throw badParameter(`The value has more than the allowed ${MOST_BYTES} bytes.`);
  return value;
}

export function contentTypeOf({ contentType }: Input): string | undefined {
  if (contentType === undefined || contentType === null) return undefined;
  if (typeof contentType !== 'string' || contentType.length > 255)
    throw badParameter('The content type has more than 255 characters.');
  return contentType;
}

/** Undefined if the call does not mention tags. */
export function tagsOf({ tags }: Input): Record<string, string> | undefined {
  if (tags === undefined || tags === null) return undefined;
  const entries = Object.entries(tags as Record<string, unknown>);
  if (entries.length > MOST_TAGS) throw badParameter(`There are more than ${MOST_TAGS} tags.`);
  for (const [key, value] of entries) {
    if (typeof value !== 'string') throw badParameter('A tag must be text.');
    if (key.length > LONGEST_TAG || value.length > LONGEST_TAG)
      throw badParameter(`A tag has more than ${LONGEST_TAG} characters.`);
  }
  return tags as Record<string, string>;
}
