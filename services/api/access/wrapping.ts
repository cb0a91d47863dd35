import type { Grant } from './caller.ts';

/**
 * Whether a grant allows an answer that is wrapped for so many seconds; undefined: the answer is not wrapped. If the
 * minimum is above the maximum, nothing is allowed.
 */
export function allowsWrapping(grant: Grant, wrapSeconds: number | undefined): boolean {
  const { min_wrapping_ttl: shortest, max_wrapping_ttl: longest } = grant;
  if (shortest === undefined && longest === undefined) return true;
  return wrapSeconds !== undefined && wrapSeconds >= (shortest ?? 0) && wrapSeconds <= (longest ?? Infinity);
}
