import { createBearerTokens } from '../given-out.ts';
import type { Route } from './paths.ts';

type Level = 'none' | 'read' | 'write';

/** What a token may do; absent fields are not restricted. */
export type Grant = { revoked?: boolean; secrets?: Level; repositories?: string[] };

const WRITES = new Set(['putSecret', 'deleteSecret']);

const GIVEN_OUT = ['ghp_valid', 'ghp_renewed', 'ghp_one'];

/** The store's tokens. */
export function createTokens() {
  const all = Object.fromEntries(GIVEN_OUT.map((token) => [token, {} as Grant]));
  return createBearerTokens<Grant>(/^(?:bearer|token) (\S+)$/i, all);
}

/** The permission a call needs, as the store's header spells it, or null where the token has it. */
export function missingPermission(route: Route, grant: Grant): string | null {
  const needed = WRITES.has(route.operation) ? 'write' : 'read';
  const given = grant.secrets ?? 'write';
  if (given === 'write' || given === needed) return null;
  return `${route.environment === null ? 'secrets' : 'environments'}=${needed}`;
}

/** A repository that the token may not see looks like one that does not exist. */
export function canSee(route: Route, grant: Grant): boolean {
  return !grant.repositories || grant.repositories.includes(`${route.owner}/${route.repository}`);
}
