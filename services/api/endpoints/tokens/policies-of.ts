import { badRequest } from '../../../../libs/errors/request-error.ts';
import { matchesGlob } from '../../../../libs/validation/glob.ts';
import { findInSlices } from '../../../../libs/time/slices.ts';
import type { TokenRoleSettings } from '../../../../libs/store/access/token-roles.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { policyNames } from './schemas.ts';

type Asked = { policies?: string[]; no_default_policy?: boolean };

/**
 * The policies of a new token, in order. Only root gives root. If a role lists what it allows, the role decides.
 * Otherwise they must be among the caller's own, or may be any if the caller has sudo. The name of a policy means
 * nothing in a namespace other than the one it was written in. Throws 400.
 */
export async function policiesOf(
  request: ApiRequest<Asked>,
  { isTrusted, role }: { isTrusted: boolean; role: TokenRoleSettings | undefined },
): Promise<string[]> {
  const own = request.caller.token.policies;
  const named = role && allowsSome(role) ? await allowedOf(request.body, role) : ownOf(request, isTrusted);
  const all = policyNames(
    addsDefault(request.body, role) && !named.includes('root') ? [...named, 'default'] : named,
  );
  const refused = role && (await findInSlices(all, (name) => disallows(role, name)));
  if (refused !== undefined)
    throw badRequest(`token policy ${JSON.stringify(refused)} is disallowed by this role`);
  if (!all.includes('root')) return all;
  if (!own.includes('root')) throw badRequest('only a root token can create a root token');
  return ['root'];
}

function ownOf({ caller, namespace, body }: ApiRequest<Asked>, isTrusted: boolean): string[] {
  const isAtHome = namespace.id === caller.token.namespace_id;
  const own = caller.token.policies;
  const wanted = policyNames(body.policies?.length ? body.policies : isAtHome ? own : []);
  const beyond = wanted.filter(
    (name) => !['default', 'root'].includes(name) && !(isAtHome && own.includes(name)),
  );
  if (beyond.length > 0 && !isTrusted && !own.includes('root')) {
    throw badRequest("child policies must be a subset of the parent's");
  }
  return wanted;
}

// A caller chooses the names and the author of the role the patterns, so their product is worked off in slices.
async function allowedOf(body: Asked, role: TokenRoleSettings): Promise<string[]> {
  const wanted = policyNames(body.policies);
  if (wanted.length === 0) return role.allowed_policies;
  const beyond = await findInSlices(
    wanted,
    (name) =>
      !(name === 'default' && addsDefault(body, role)) &&
      !role.allowed_policies.includes(name) &&
      !role.allowed_policies_glob.some((glob) => matchesGlob(glob, name)),
  );
  if (beyond === undefined) return wanted;
  throw badRequest(`the role does not allow the token policy ${JSON.stringify(beyond)}`);
}

function addsDefault(body: Asked, role: TokenRoleSettings | undefined): boolean {
  if (body.no_default_policy) return false;
  return !role || !(role.token_no_default_policy || disallows(role, 'default'));
}

function allowsSome(role: TokenRoleSettings): boolean {
  return role.allowed_policies.length > 0 || role.allowed_policies_glob.length > 0;
}

function disallows(role: TokenRoleSettings, name: string): boolean {
  return (
    role.disallowed_policies.includes(name) ||
    role.disallowed_policies_glob.some((glob) => matchesGlob(glob, name))
  );
}
