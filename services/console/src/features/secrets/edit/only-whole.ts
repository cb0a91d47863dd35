import type { Call } from '../../../api/curl.ts';
import { readOf } from '../../../api/right.ts';
import { useHasRights, useRights } from '../../../kit/rights/allowed.ts';
import type { SecretName } from '../split-path.ts';
import { aloneOf, editOf } from './change.ts';

/** Whether the user may save a secret only as a whole: policies written for Vault seldom give `patch`. */
export function useOnlyWhole(secret: SecretName): boolean {
  const path = `${secret.mount}/data/${secret.path}`;
  const mayPatch = useRights([{ path, capability: 'patch' }]);
  const mayReplace = useHasRights([readOf(secret), { path, capability: 'update' }]);
  return mayPatch === false && mayReplace;
}

/** The call that an edit of a version ends in, with nothing in it yet. */
export function useEditCall(secret: SecretName, version: number): Call {
  return useOnlyWhole(secret)
    ? aloneOf(secret, version, new Map())
    : editOf(secret, version, { set: new Map(), remove: [] });
}
