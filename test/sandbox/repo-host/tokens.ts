import type { FakeRequest } from '../fake-server.ts';
import type { Route } from './paths.ts';

type Level = 'none' | 'read' | 'write';

/** What a token may do; absent fields are not restricted. */
export type Grant = { revoked?: boolean; secrets?: Level; repositories?: string[] };

const WRITES = new Set(['putSecret', 'deleteSecret']);

/** Which tokens the store knows: all that look like one, restricted by the grants a test gave. */
export function createTokens() {
  const grants = new Map<string, Grant>();
  return {
    restrict: (token: string, grant: Grant) => void grants.set(token, grant),
    /** Null for a token that is unknown or revoked. */
    read(request: FakeRequest): Grant | null {
      const [, token = ''] = /^(?:bearer|token) (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const grant = grants.get(token) ?? {};
      return /^(ghp|ghs|gho|github_pat)_/.test(token) && !grant.revoked ? grant : null;
    },
    reset: () => grants.clear(),
  };
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
