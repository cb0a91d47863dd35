import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';

/** A field that takes seconds or a text such as `1h30m`. */
export const duration = (description: string) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'], description }));

/** A field that takes a list of names. */
export const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** Seconds of such a field; undefined if it is absent. Throws 400. */
export function secondsOf(name: string, given: string | number | undefined): number | undefined {
  if (given === undefined) return undefined;
  const seconds = parseDuration(given);
  if (seconds === undefined || seconds < 0)
    throw badRequest(`${name} must be seconds or a duration such as 1h30m`);
  return seconds;
}

/** Names of policies in lower case, sorted, each once: they are case-insensitive. Throws 400 for too many. */
export function policyNames(given: string[] | undefined): string[] {
  requireWithin(LIMITS.tokenPolicies, given?.length ?? 0);
  const trimmed = (given ?? []).map((name) => name.trim().toLowerCase());
  return [...new Set(trimmed.filter(Boolean))].toSorted();
}

/** The smaller of two numbers, where 0 means no number. */
export function smallerOf(left: number, right: number): number {
  return left === 0 || right === 0 ? left + right : Math.min(left, right);
}

/** Throws 400 for a type of token that is not offered. */
export function refuseOtherTypes(type: string | undefined): void {
  if (['', 'service', 'default', 'default-service'].includes(type ?? '')) return;
  throw badRequest(`the token type ${JSON.stringify(type)} is not supported: only service is`);
}
