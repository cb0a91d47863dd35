import type { FakeRequest } from '../fake-server.ts';
import { hostingTokens } from '../given-out.ts';
import { WRITES, type Route } from './paths.ts';

/** The rights of a token; absent fields are not restricted. `teams` lists the teams in scope, `''` is its own account. */
export type Grant = {
  revoked?: boolean;
  variables?: 'none' | 'read' | 'write';
  teams?: string[];
  projects?: string[];
  /** True if its role does not show production variables. */
  hidesProduction?: boolean;
};

const everyRight = () => hostingTokens.map((token): [string, Grant] => [token, {}]);

/** The tokens that the store has issued, and their rights. */
export function createTokens() {
  let grants = new Map(everyRight());
  return {
    /** Issues a token with these rights, or restricts an issued one. */
    restrict: (token: string, grant: Grant) => void grants.set(token, grant),
    /** Null for a token that was not issued, is not accepted yet, or is revoked. */
    read(request: FakeRequest, isAccepted: (token: string) => boolean): Grant | null {
      const [, token = ''] = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const grant = grants.get(token);
      return grant && !grant.revoked && isAccepted(token) ? grant : null;
    },
    reset: () => void (grants = new Map(everyRight())),
  };
}

export function maySee({ project }: Route, { projects }: Grant): boolean {
  return !projects || projects.includes(project);
}

export function mayDo({ operation }: Route, { variables = 'write' }: Grant): boolean {
  return variables === 'write' || (variables === 'read' && !WRITES.has(operation));
}
