import type { FakeRequest } from '../fake-server.ts';
import { repositoryTokens } from '../given-out.ts';
import type { Route } from './paths.ts';

export type Level = 'none' | 'read' | 'write';

/** The rights of a token; absent fields are not restricted. `permissions`: those of an app's token, which has no others. */
export type Grant = {
  revoked?: boolean;
  secrets?: Level;
  permissions?: Record<string, Level>;
  repositories?: string[];
};

const WRITES = new Set(['putSecret', 'deleteSecret']);

const everyRight = () => repositoryTokens.map((token): [string, Grant] => [token, {}]);

/** The tokens that the store has issued, and their rights. */
export function createTokens(grantOfApp: (token: string) => Grant | undefined) {
  let grants = new Map(everyRight());
  return {
    /** Issues a token with these rights, or restricts an issued one. */
    restrict: (token: string, grant: Grant) => void grants.set(token, grant),
    /** Null for a token that was not issued, is not accepted yet, or is revoked. */
    read(request: FakeRequest, isAccepted: (token: string) => boolean): Grant | null {
      const [, token = ''] = /^(?:bearer|token) (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const grant = grants.get(token) ?? grantOfApp(token);
      return grant && !grant.revoked && isAccepted(token) ? grant : null;
    },
    reset: () => void (grants = new Map(everyRight())),
  };
}

/** The permission that a call needs, as the store's header spells it; null if the token has it. */
export function missingPermission(route: Route, grant: Grant): string | null {
  const needed = WRITES.has(route.operation) ? 'write' : 'read';
  const permission = permissionFor(route);
  const given = grant.permissions ? (grant.permissions[permission] ?? 'none') : (grant.secrets ?? 'write');
  if (given === 'write' || given === needed) return null;
  return `${permission}=${needed}`;
}

function permissionFor({ environment, organization, service }: Route): string {
  if (environment !== null) return 'environments';
  const ofService = service === 'actions' ? 'secrets' : `${service}_secrets`;
  return organization === null ? ofService : `organization_${ofService}`;
}

/** For the caller, a repository that the token may not see does not exist. */
export function canSee(route: Route, grant: Grant): boolean {
  return !grant.repositories || grant.repositories.includes(`${route.owner}/${route.repository}`);
}
