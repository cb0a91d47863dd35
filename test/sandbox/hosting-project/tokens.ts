import { createBearerTokens } from '../given-out.ts';
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

const GIVEN_OUT = ['vcp_valid', 'vcp_renewed', 'vcp_token-of-the-tests'];

/** The store's tokens. */
export function createTokens() {
  const all = Object.fromEntries(GIVEN_OUT.map((token) => [token, {} as Grant]));
  return createBearerTokens<Grant>(/^bearer (\S+)$/i, all);
}

export function maySee({ project }: Route, { projects }: Grant): boolean {
  return !projects || projects.includes(project);
}

export function mayDo({ operation }: Route, { variables = 'write' }: Grant): boolean {
  return variables === 'write' || (variables === 'read' && !WRITES.has(operation));
}
