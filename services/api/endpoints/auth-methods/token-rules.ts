import { Type, type Static } from 'typebox';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../../libs/store/auth/mounts.ts';
import type { TokenRules } from '../../../../libs/store/auth/roles.ts';
import { isCidr } from '../../access/bound-cidrs.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { metadataField, metadataOf } from './metadata.ts';
import { duration, names, policyNames, refuseOtherTypes, secondsOf } from '../tokens/schemas.ts';

/** The fields of every role's body that say what its tokens are like. Absent fields keep their values. */
export const tokenRuleBody = {
  token_policies: names('What the tokens of this role may do.'),
  policies: names('Older name of `token_policies`.'),
  token_ttl: duration(
    'Lifetime of the tokens: seconds, or a duration such as 1h30m. Default: that of the auth method.',
  ),
  ttl: duration('Older name of `token_ttl`.'),
  token_max_ttl: duration('How long a token can live with all renewals. Default: that of the auth method.'),
  max_ttl: duration('Older name of `token_max_ttl`.'),
  token_explicit_max_ttl: duration('The same limit, but fixed when the token is created. 0 sets none.'),
  token_no_default_policy: Type.Optional(Type.Boolean({ description: 'The policy `default` is not added.' })),
  token_bound_cidrs: names(
    'Addresses and ranges (CIDR) from which to log in, and to use the tokens. Empty: all.',
  ),
  bound_cidrs: names('Older name of `token_bound_cidrs`.'),
  token_period: duration('Not supported: leave it out, or 0.'),
  period: duration('Not supported: leave it out, or 0.'),
  token_num_uses: Type.Optional(Type.Integer({ description: 'Not supported: leave it out, or 0.' })),
  num_uses: Type.Optional(Type.Integer({ description: 'Not supported: leave it out, or 0.' })),
  alias_metadata: metadataField('Names with values. Stored and returned; it has no effect.'),
  token_type: Type.Optional(Type.String({ description: '`service`, `default-service` or `default`.' })),
};

const schema = Type.Object(tokenRuleBody);

/** The rules of a new role. */
export const NEW_TOKEN_RULES: TokenRules = {
  token_policies: [],
  token_ttl: 0,
  token_max_ttl: 0,
  token_explicit_max_ttl: 0,
  token_no_default_policy: false,
  token_bound_cidrs: [],
};

/** The rules that a body names. Throws 400. */
export function tokenRulesOf(body: Static<typeof schema>): Partial<TokenRules> {
  refuseOtherTypes(body.token_type);
  if (secondsOf('token_period', body.token_period ?? body.period))
    throw badRequest('tokens of a log-in have no period: leave token_period out');
  if (body.token_num_uses ?? body.num_uses)
    throw badRequest('tokens of a log-in have no number of uses: leave token_num_uses out');
  const policies = body.token_policies ?? body.policies;
  return given({
    token_policies: policies && policyNames(policies),
    token_ttl: secondsOf('token_ttl', body.token_ttl ?? body.ttl),
    token_max_ttl: secondsOf('token_max_ttl', body.token_max_ttl ?? body.max_ttl),
    token_explicit_max_ttl: secondsOf('token_explicit_max_ttl', body.token_explicit_max_ttl),
    token_no_default_policy: body.token_no_default_policy,
    token_bound_cidrs: cidrsOf('token_bound_cidrs', body.token_bound_cidrs ?? body.bound_cidrs),
    alias_metadata:
      body.alias_metadata === undefined ? undefined : metadataOf('alias_metadata', body.alias_metadata),
  });
}

/** The members that are not undefined. */
export function given<Fields extends object>(fields: {
  [Name in keyof Fields]?: Fields[Name] | undefined;
}): Partial<Fields> {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<Fields>;
}

/** Addresses and ranges. Throws 400 for what is neither, and for too many. */
export function cidrsOf(name: string, list: string[] | undefined): string[] | undefined {
  const cidrs = list?.map((cidr) => cidr.trim()).filter(Boolean);
  requireWithin(LIMITS.roleCidrs, cidrs?.length ?? 0);
  const wrong = cidrs?.find((cidr) => !isCidr(cidr));
  if (wrong === undefined) return cidrs;
  throw badRequest(`${name}: ${JSON.stringify(wrong)} is neither an address nor a range (CIDR)`);
}

/**
 * Throws 400 for rules that contradict each other, and if the caller may not give the policies of the role. They count
 * whichever field is written, because each of them may let others in.
 */
export function checkTokenRules(request: Giver, rules: TokenRules): void {
  const { token_policies: policies, token_ttl: ttl, token_max_ttl: most } = rules;
  if (most > 0 && ttl > most) throw badRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  checkPolicies(request, policies);
}

type Giver = Pick<ApiRequest, 'caller' | 'namespace' | 'may' | 'path'>;

/**
 * Throws 400 for policies that the caller may not give to who logs in: `root`, and those that it lacks, which need `sudo` on
 * the path, as when it makes a token.
 */
export function checkPolicies({ caller, namespace, may, path }: Giver, policies: string[]): void {
  if (policies.includes('root')) throw badRequest('auth methods cannot create root tokens');
  const own = namespace.id === caller.token.namespace_id ? caller.token.policies : [];
  const beyond = policies.filter((name) => name !== 'default' && !own.includes(name));
  if (beyond.length > 0 && !caller.token.policies.includes('root') && !may(path, 'sudo'))
    throw badRequest(
      `root or sudo privileges required for policies that you lack: ${beyond.join(', ').slice(0, 500)}`,
    );
}

/**
 * Throws 403 for a browser session, which reads no values: what it let in could.
 */
export function refuseSession({ caller }: Pick<ApiRequest, 'caller'>): void {
  if (caller.session)
    throw permissionDenied('a browser session lets nobody else in: send this request with a token');
  if (!caller.token.reads_values)
    throw permissionDenied(
      'this token was made in a browser session, so it lets nobody else in: use one from `sealift login` or `sealift token create`',
    );
}

/** Whether a role may have the name. */
export function isRoleName(name: string): boolean {
  return /^\w(?:[\w.-]{0,126}\w)?$/.test(name);
}

/** Throws 400 for a name that no role may have. */
export function checkRoleName(name: string): void {
  if (isRoleName(name)) return;
  const shown = JSON.stringify(name.slice(0, 130));
  throw badRequest(`invalid role name ${shown}: 1 to 128 letters, digits and _ . -`);
}

/** The auth method of a request whose row is one of an auth method. */
export function authMountOf({ authMount }: Pick<ApiRequest, 'authMount'>): AuthMount {
  if (!authMount) throw new Error('the route is in no auth method');
  return authMount;
}

/** Whether somebody has said how an auth method verifies tokens. */
export function isConfigured({ config }: Pick<AuthMount, 'config'>): boolean {
  return Object.keys(config).length > 0;
}
