import type { FakeRequest } from '../fake-server.ts';
import { WRITES, type Route } from './paths.ts';

/** What a token may do; absent fields are not restricted. `teams` names those in its scope, `''` the own account. */
export type Grant = {
  revoked?: boolean;
  variables?: 'none' | 'read' | 'write';
  teams?: string[];
  projects?: string[];
  /** Its role does not show production variables. */
  hidesProduction?: boolean;
};

/** Which tokens the store knows: all that begin with `vcp_`, restricted by the grants a test gave. */
export function createTokens() {
  const grants = new Map<string, Grant>();
  return {
    restrict: (token: string, grant: Grant) => void grants.set(token, grant),
    /** Null for a token that is unknown or revoked. */
    read(request: FakeRequest): Grant | null {
      const [, token = ''] = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      const grant = grants.get(token) ?? {};
      return token.startsWith('vcp_') && !grant.revoked ? grant : null;
    },
    reset: () => grants.clear(),
  };
}

export function maySee({ project }: Route, { projects }: Grant): boolean {
  return !projects || projects.includes(project);
}

export function mayDo({ operation }: Route, { variables = 'write' }: Grant): boolean {
  return variables === 'write' || (variables === 'read' && !WRITES.has(operation));
}
