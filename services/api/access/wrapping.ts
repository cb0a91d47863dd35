import type { Grant } from './caller.ts';

/**
 * Whether a grant allows an answer that waits wrapped for so many seconds; undefined where it is not wrapped. Limits that
 * leave no time in between allow none.
 */
export function allowsWrapping(grant: Grant, wrapSeconds: number | undefined): boolean {
  const { min_wrapping_ttl: shortest, max_wrapping_ttl: longest } = grant;
  if (shortest === undefined && longest === undefined) return true;
  return wrapSeconds !== undefined && wrapSeconds >= (shortest ?? 0) && wrapSeconds <= (longest ?? Infinity);
}
