import type { SecretContent } from './store.ts';
import { invalidParameter, limitExceeded } from './vendor-error.ts';

export type Input = Record<string, unknown>;

const MOST_BYTES = 65_536;
const MOST_TAGS = 50;
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const TAG_TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** The name of a secret to create. `secretIdOf` is for existing secrets. */
export function newNameOf(input: Input): string {
  const name = input['Name'];
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalidParameter(
      'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
    );
  return name;
}

export function secretIdOf(input: Input): string {
  const id = input['SecretId'];
  if (typeof id !== 'string' || id.length < 1 || id.length > 2048)
    throw invalidParameter('Invalid secret id: it must have between 1 and 2048 characters.');
  return id;
}

/** The API demands 32 to 64 characters. */
export function tokenOf(input: Input): string {
  const token = input['ClientRequestToken'];
  if (typeof token !== 'string') throw invalidParameter('You must provide a ClientRequestToken value.');
  if (token.length < 32 || token.length > 64)
    throw invalidParameter('ClientRequestToken must be 32-64 characters long.');
  return token;
}

/** Null if the call has no value. */
export function contentOf(input: Input): SecretContent | null {
  const text = input['SecretString'];
  const binary = input['SecretBinary'];
  if (text !== undefined && binary !== undefined)
    throw invalidParameter("You can't specify both a binary secret value and a string secret value.");
  if (typeof binary === 'string') return checkSize({ binary }, Buffer.from(binary, 'base64').length);
  if (typeof text === 'string') return checkSize({ text }, Buffer.byteLength(text));
  return null;
}

function checkSize(content: SecretContent, bytes: number): SecretContent {
  if (bytes < 1) throw invalidParameter('The secret value must not be empty.');
  if (bytes > MOST_BYTES)
    throw invalidParameter(`Secret value is too large: it must have at most ${MOST_BYTES} bytes.`);
  return content;
}

export function tagsOf(input: Input): Map<string, string> {
  const tags = new Map<string, string>();
  const list = (input['Tags'] ?? []) as { Key?: unknown; Value?: unknown }[];
  for (const { Key: key, Value: value } of list) {
    if (typeof key !== 'string' || key.length < 1 || lengthOf(key) > 128 || !TAG_TEXT.test(key))
      throw invalidParameter('A tag key has between 1 and 128 characters of the allowed set.');
    if (/^aws:/i.test(key)) throw invalidParameter('Tag keys that start with aws: are reserved.');
    if (typeof value !== 'string' || lengthOf(value) > 256 || !TAG_TEXT.test(value))
      throw invalidParameter('A tag value has at most 256 characters of the allowed set.');
    if (tags.has(key)) throw invalidParameter('Duplicate tag keys are not allowed.');
    tags.set(key, value);
  }
  return tags;
}

// The model counts characters, not UTF-16 units.
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The limit error is documented for CreateSecret only; calls that change tags answer with a parameter error. */
export function checkTagCount(tags: Map<string, string>, isCreation: boolean): void {
  if (tags.size <= MOST_TAGS) return;
  const message = `A secret can have at most ${MOST_TAGS} tags.`;
  throw isCreation ? limitExceeded(message) : invalidParameter(message);
}
