import { isJsonObject } from './lossless.ts';

/** JSON merge patch (RFC 7396): null removes, objects merge, everything else replaces. Neither input is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Not by assignment, because a key may be `__proto__`.
  return Object.fromEntries(merged);
}
