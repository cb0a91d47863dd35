import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { loosen } from '../../../../libs/validation/loosen.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import { mergePatch } from '../../../../libs/validation/merge-patch.ts';

const writtenOptions = Type.Object({ remove: Type.Array(Type.String()) });

/**
 * What a PATCH does to the data of a secret. A merge patch cannot set null, nor an object as a whole; with the option
 * `replace` it can. Throws 400 for invalid options.
 */
export function patchOf(
  patch: Record<string, unknown>,
  { options }: { options?: unknown },
): (data: unknown) => unknown {
  const { replace = false, remove = [] } = isJsonObject(options)
    ? (loosen(writtenOptions, options) as { replace?: unknown; remove?: unknown })
    : {};
  const isReplacing = replace === true || replace === 'true';
  if (!isReplacing && replace !== false && replace !== 'false')
    throw badRequest('options.replace must be true or false');
  if (!Array.isArray(remove) || !remove.every((key) => typeof key === 'string'))
    throw badRequest('options.remove must be a list of keys');
  const both = remove.find((key) => Object.hasOwn(patch, key));
  if (both !== undefined) throw badRequest(`the key ${both} cannot be in data and in options.remove`);
  return (data) => without(isReplacing ? replaceKeys(data, patch) : mergePatch(data, patch), remove);
}

function replaceKeys(data: unknown, patch: Record<string, unknown>): unknown {
  // Not by assignment, because a key may be `__proto__`.
  return Object.fromEntries([...entriesOf(data), ...Object.entries(patch)]);
}

function without(data: unknown, keys: string[]): unknown {
  const removed = new Set(keys);
  return Object.fromEntries(entriesOf(data).filter(([key]) => !removed.has(key)));
}

function entriesOf(data: unknown): [string, unknown][] {
  return isJsonObject(data) ? Object.entries(data) : [];
}
