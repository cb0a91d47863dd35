import type { FakeRequest } from './contract.ts';

/** Which bearer tokens a store knows: those given out before, and those that are restricted to something. */
export function createBearerTokens<Grant extends { revoked?: boolean }>(
  scheme: RegExp,
  givenOut: Record<string, Grant>,
) {
  let grants = new Map(Object.entries(givenOut));
  return {
    /** Gives a token out, or changes what one may do. */
    restrict: (token: string, grant: Grant): void => void grants.set(token, grant),
    /** Null for a token that is unknown or revoked. */
    read({ headers }: FakeRequest): Grant | null {
      const grant = grants.get(scheme.exec(headers.authorization ?? '')?.[1] ?? '');
      return grant && !grant.revoked ? grant : null;
    },
    reset: (): void => void (grants = new Map(Object.entries(givenOut))),
  };
}
