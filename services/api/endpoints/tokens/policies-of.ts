import { badRequest } from '../../../../libs/errors/request-error.ts';
import type { TokenRoleSettings } from '../../../../libs/store/access/token-roles.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { policyNames } from './schemas.ts';

type Asked = { policies?: string[]; no_default_policy?: boolean };

/**
 * What a new token may carry, in order. Nobody but root gives root. A role that lists what it allows says which; otherwise
 * they are of the caller's own, or any where the caller has sudo. Names mean nothing in another namespace than the one
 * they were written in. Throws 400.
 */
export function policiesOf(
  request: ApiRequest<Asked>,
  { isTrusted, role }: { isTrusted: boolean; role: TokenRoleSettings | undefined },
): string[] {
  const own = request.caller.token.policies;
  const named = role && allowsSome(role) ? allowedOf(request.body, role) : ownOf(request, isTrusted);
  const all = policyNames(
    addsDefault(request.body, role) && !named.includes('root') ? [...named, 'default'] : named,
  );
  const refused = role && all.find((name) => disallows(role, name));
  if (refused !== undefined)
    throw badRequest(`token policy ${JSON.stringify(refused)} is disallowed by this role`);
  if (!all.includes('root')) return all;
  if (!own.includes('root')) throw badRequest('root tokens may only be made by root tokens');
  return ['root'];
}

function ownOf({ caller, namespace, body: asked }: ApiRequest<Asked>, isTrusted: boolean): string[] {
  const isAtHome = namespace.id === caller.token.namespace_id;
  const own = caller.token.policies;
  const wanted = policyNames(asked.policies?.length ? asked.policies : isAtHome ? own : []);
  const beyond = wanted.filter(
    (name) => !['default', 'root'].includes(name) && !(isAtHome && own.includes(name)),
  );
  if (beyond.length > 0 && !isTrusted && !own.includes('root')) {
    throw badRequest("child policies must be a subset of the parent's");
  }
  return wanted;
}

function allowedOf(asked: Asked, role: TokenRoleSettings): string[] {
  const wanted = policyNames(asked.policies);
  if (wanted.length === 0) return role.allowed_policies;
  const beyond = wanted.find(
    (name) =>
      !(name === 'default' && addsDefault(asked, role)) &&
      !role.allowed_policies.includes(name) &&
      !role.allowed_policies_glob.some((glob) => matchesGlob(glob, name)),
  );
  if (beyond === undefined) return wanted;
  throw badRequest(`token policy ${JSON.stringify(beyond)} is not among those that the role allows`);
}

function addsDefault(asked: Asked, role: TokenRoleSettings | undefined): boolean {
  if (asked.no_default_policy) return false;
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

// Each `*` stands for any letters. The first place where a part fits leaves the most for those behind it.
function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.split('*');
  const first = parts.shift() ?? '';
  const last = parts.pop();
  if (last === undefined) return glob === name;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let offset = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, offset);
    if (found === -1) return false;
    offset = found + part.length;
  }
  return offset + last.length <= name.length;
}
