import { Type, type Static } from 'typebox';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../../libs/db/sql-state.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findPolicyVersions } from '../../../../libs/store/access/policies.ts';
import { findTokenRole, type TokenRoleSettings } from '../../../../libs/store/access/token-roles.ts';
import {
  createToken,
  findTokenByAccessor,
  newAccessor,
  type NewToken,
} from '../../../../libs/store/access/tokens.ts';
import { tellList } from '../../../../libs/validation/told.ts';
import { BUILT_IN_POLICIES } from '../../access/policy.ts';
import { presentAuth } from '../../presenters/token.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { policiesOf } from './policies-of.ts';
import { readsNoValues } from './session-tokens.ts';
import { duration, names, refuseOtherTypes, secondsOf, smallerOf } from './schemas.ts';

const DEFAULT_TTL_SECONDS = 768 * 3600;
const MOST_USES = 2 ** 31 - 1;

const tokenBody = Type.Object({
  policies: names("Policies of the token. Default: the role's, or the caller's own."),
  ttl: duration(
    'How long the token lives: seconds, or a duration such as 1h30m. Default: the period, or else 768h; a root token lives for ever.',
  ),
  lease: duration('Older name of `ttl`.'),
  explicit_max_ttl: duration('Longest life of the token, with all renewals. 0: no limit.'),
  period: duration('Each renewal extends the token by this time, without an end. Needs `sudo`.'),
  renewable: Type.Optional(Type.Boolean()),
  display_name: Type.Optional(
    Type.String({ maxLength: 256, description: 'Answers have `token-` before it.' }),
  ),
  meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  no_parent: Type.Optional(
    Type.Boolean({ description: "True: the token stays valid when the caller's token ends. Needs `sudo`." }),
  ),
  no_default_policy: Type.Optional(Type.Boolean()),
  num_uses: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_USES,
      description: 'Maximum number of requests with the token. 0: no limit.',
    }),
  ),
  type: Type.Optional(Type.String({ description: 'service' })),
  role_name: Type.Optional(Type.String({ description: 'Name of the role. It must be the one in the path.' })),
  id: Type.Optional(Type.String({ sensitive: true, description: 'Not supported: tokens are random.' })),
  entity_alias: Type.Optional(Type.String({ description: 'Not supported.' })),
  bound_cidrs: names('Not supported: set token_bound_cidrs of a role.'),
});

type Asked = Static<typeof tokenBody>;
type Role = TokenRoleSettings | undefined;

const make = { method: 'POST' as const, alsoMethods: ['PUT' as const], body: tokenBody, asked: askedOf };

/** Making tokens. */
export const tokenCreateEndpoints: Endpoint[] = [
  endpoint({
    ...make,
    path: '/auth/token/create',
    access: 'policy',
    summary: 'Create a token with no more rights than the caller has',
    answers: { 200: { grants: true } },
    handle: async (request) => create(request, { isOrphan: false }),
  }),
  endpoint({
    ...make,
    path: '/auth/token/create-orphan',
    access: 'sudo',
    summary: "Create a token that stays valid when the caller's token ends",
    answers: { 200: { grants: true } },
    handle: async (request) => create(request, { isOrphan: true }),
  }),
  endpoint({
    ...make,
    path: '/auth/token/create/:name',
    access: 'policy',
    summary: 'Create a token with the properties of a role',
    answers: { 200: { grants: true } },
    handle: async (request) => {
      const { services, namespace, params } = request;
      const role = await findTokenRole(services.db, namespace.id, params['name'] ?? '');
      if (!role) throw badRequest(`unknown role ${JSON.stringify(params['name'])}`);
      return create(request, { isOrphan: false, role });
    },
  }),
];

async function create(
  request: ApiRequest<Asked>,
  { isOrphan, role }: { isOrphan: boolean; role?: TokenRoleSettings },
) {
  const { services, caller, namespace, body, params } = request;
  request.note({ asked: askedOf(request) });
  refuseUnoffered(request);
  const isTrusted = request.may(request.path, 'sudo');
  if (body.no_parent && !isTrusted)
    throw badRequest('root or sudo privileges required to create orphan token');
  const hasParent = !(isOrphan || body.no_parent || role?.orphan);
  const policies = await policiesOf(request, { isTrusted, role });
  const readsValues = !(await readsNoValues(request, policies));
  const accessor = newAccessor();
  const token: NewToken = {
    accessor,
    namespaceId: namespace.id,
    parentId: hasParent ? caller.token.id : null,
    displayName: displayName(body.display_name),
    policies,
    meta: body.meta ?? null,
    renewable: (body.renewable ?? true) && (role?.renewable ?? true),
    ...lifetimeOf(request, { isTrusted, role, isRoot: policies.includes('root') }),
    uses: smallerOf(body.num_uses ?? 0, role?.token_num_uses ?? 0) || null,
    // Without addresses of the role, the new token gets those of the caller. So a caller cannot lose its bond by making
    // a token.
    boundCidrs: role?.token_bound_cidrs.length ? role.token_bound_cidrs : caller.token.bound_cidrs,
    readsValues,
    role: role ? (params['name'] ?? null) : null,
    path: [request.path, role?.path_suffix].filter(Boolean).join('/'),
  };
  await warnOfMissingPolicies(request, policies);
  request.note({
    accessor,
    display_name: token.displayName,
    policies,
    ttl_seconds: token.ttlSeconds,
    orphan: !hasParent,
    asked: undefined,
    num_uses: token.uses,
    period_seconds: token.periodSeconds,
    explicit_max_ttl_seconds: token.explicitMaxTtlSeconds,
    bound_cidrs: tellList(token.boundCidrs ?? []),
    role: token.role,
    parent_accessor: hasParent ? caller.token.accessor : null,
  });
  const made = await createToken(services.db, services.installation.hashKey, token).catch(refuseRevoked);
  const created = await findTokenByAccessor(services.db, accessor);
  if (!created) throw permissionDenied();
  return { status: 200, auth: presentAuth(created, made.secret) };
}

// A refused request tells only this.
function askedOf({ body, params }: ApiRequest<Asked>) {
  const { policies, ttl, period, explicit_max_ttl, num_uses, no_parent, type, display_name } = body;
  const named = { ttl, period, explicit_max_ttl, num_uses, no_parent, type, display_name };
  const role = params['name'] ?? body.role_name;
  return { ...named, policies: policies && tellList([policies].flat()), role };
}

function lifetimeOf(
  { body, warn }: ApiRequest<Asked>,
  { isTrusted, role, isRoot }: { isTrusted: boolean; role: Role; isRoot: boolean },
): Pick<NewToken, 'ttlSeconds' | 'explicitMaxTtlSeconds' | 'periodSeconds'> {
  const askedPeriod = secondsOf('period', body.period) ?? 0;
  if (askedPeriod > 0 && !isTrusted)
    throw badRequest('root or sudo privileges required to create periodic token');
  const period = smallerOf(askedPeriod, role?.token_period ?? 0);
  const limit = smallerOf(
    secondsOf('explicit_max_ttl', body.explicit_max_ttl) ?? 0,
    role?.token_explicit_max_ttl ?? 0,
  );
  const otherwise = period || (isRoot ? 0 : DEFAULT_TTL_SECONDS);
  const wanted = secondsOf('ttl', body.ttl ?? body.lease) || otherwise;
  const isLonger = limit > 0 && (wanted === 0 || wanted > limit);
  if (isLonger && wanted > 0) warn('ttl is longer than explicit_max_ttl, so explicit_max_ttl is used');
  return { ttlSeconds: isLonger ? limit : wanted, explicitMaxTtlSeconds: limit, periodSeconds: period };
}

// The caller's token or the namespace was deleted at this moment.
function refuseRevoked(error: unknown): never {
  if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw permissionDenied();
  throw error;
}

async function warnOfMissingPolicies(
  { services, namespace, warn }: ApiRequest,
  policies: string[],
): Promise<void> {
  const named = policies.filter((name) => !Object.hasOwn(BUILT_IN_POLICIES, name));
  const found = new Set(
    (await findPolicyVersions(services.db, namespace.id, named)).map((policy) => policy.name),
  );
  for (const name of named) if (!found.has(name)) warn(`Policy ${JSON.stringify(name)} does not exist`);
}

function refuseUnoffered({ caller, body, params }: ApiRequest<Asked>): void {
  // Otherwise a token with limited uses could make tokens without limit.
  if (caller.token.uses_left !== null) throw badRequest('restricted use token cannot generate child tokens');
  if (body.id) throw badRequest('the id of a token cannot be chosen: it is random');
  if (body.entity_alias) throw badRequest('entities are not supported');
  if (body.bound_cidrs?.length) throw badRequest('bound_cidrs belong to a role: set token_bound_cidrs there');
  if (body.role_name && body.role_name !== params['name'])
    throw badRequest('name the role in the path: auth/token/create/{role}');
  refuseOtherTypes(body.type);
}

function displayName(name: string | undefined): string {
  // Letters keep their base: clients put the name into headers and logs.
  const plain = name?.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain ? `token-${plain.replaceAll(/[^A-Za-z0-9-]/g, '-')}` : 'token';
}
