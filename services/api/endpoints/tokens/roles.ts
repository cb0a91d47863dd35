import { Type, type Static } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import {
  deleteTokenRole,
  findTokenRole,
  listTokenRoles,
  writeTokenRole,
  type TokenRoleSettings,
} from '../../../../libs/store/access/token-roles.ts';
import { describeChanges, describeFields, describeWrite } from '../../../../libs/validation/changes.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { isCidr } from '../../access/bound-cidrs.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { duration, names, policyNames, refuseOtherTypes, secondsOf } from './schemas.ts';
import { keysAnswer } from '../../contract/schema.ts';
import { tokenRoleAnswer } from '../../contract/tokens.ts';

const ROLE = '/auth/token/roles/:name';
const MOST_USES = 2 ** 31 - 1;

const roleBody = Type.Object({
  allowed_policies: names(
    'Tokens may have any of these policies, even if the caller lacks them. Empty: only policies of the caller.',
  ),
  allowed_policies_glob: names('The same, * standing for any letters.'),
  disallowed_policies: names('Tokens must have none of these policies.'),
  disallowed_policies_glob: names('The same, * standing for any letters.'),
  orphan: Type.Optional(
    Type.Boolean({ description: "True: tokens stay valid when the caller's token ends." }),
  ),
  renewable: Type.Optional(Type.Boolean({ description: 'Whether tokens can be renewed. Default true.' })),
  path_suffix: Type.Optional(Type.String({ description: 'Text at the end of the path of the tokens.' })),
  token_explicit_max_ttl: duration('Longest life of a token, with all renewals. 0: no limit.'),
  explicit_max_ttl: duration('Older name of `token_explicit_max_ttl`.'),
  token_period: duration('Each renewal extends a token by this time. 0: tokens are not periodic.'),
  period: duration('Older name of `token_period`.'),
  token_bound_cidrs: names('Addresses and ranges (CIDR) from which tokens may be used. Empty: all.'),
  bound_cidrs: names('Older name of `token_bound_cidrs`.'),
  token_no_default_policy: Type.Optional(Type.Boolean()),
  token_num_uses: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_USES })),
  token_type: Type.Optional(Type.String({ description: '`service` or `default-service`.' })),
  allowed_entity_aliases: names('Not supported.'),
  token_policies: names('Not supported: use allowed_policies.'),
  token_ttl: duration('Not supported: send `ttl` when the token is created.'),
  token_max_ttl: duration('Not supported: use token_explicit_max_ttl.'),
});

type Asked = Static<typeof roleBody>;

const NEW_ROLE: TokenRoleSettings = {
  allowed_policies: [],
  allowed_policies_glob: [],
  disallowed_policies: [],
  disallowed_policies_glob: [],
  orphan: false,
  renewable: true,
  path_suffix: '',
  token_explicit_max_ttl: 0,
  token_period: 0,
  token_bound_cidrs: [],
  token_no_default_policy: false,
  token_num_uses: 0,
  token_type: 'default-service',
};

/** Roles: the properties of tokens that are made with them. */
export const tokenRoleEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: '/auth/token/roles',
    access: 'policy',
    summary: 'List the token roles of a namespace',
    answers: { 200: { data: keysAnswer } },
    handle: async ({ services, namespace }) => {
      const keys = await listTokenRoles(services.db, namespace.id);
      if (keys.length === 0) throw notFound();
      return ok({ keys });
    },
  }),
  endpoint({
    method: 'GET',
    path: ROLE,
    access: 'policy',
    summary: 'Read a token role',
    answers: { 200: { data: tokenRoleAnswer } },
    handle: async ({ services, namespace, params }) => {
      const name = params['name'] ?? '';
      const role = await findTokenRole(services.db, namespace.id, name);
      if (!role) throw notFound();
      const older = { explicit_max_ttl: role.token_explicit_max_ttl, period: role.token_period };
      return ok({ name, ...role, ...older, allowed_entity_aliases: [] });
    },
  }),
  endpoint({
    method: 'POST',
    path: ROLE,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write a token role; absent fields keep their values',
    answers: { 204: {} },
    body: roleBody,
    exists: async ({ services, namespace, params }) =>
      (await findTokenRole(services.db, namespace.id, params['name'] ?? '')) !== undefined,
    asked: ({ body }) => describeFields(body),
    handle: async ({ services, namespace, params, body, note }) => {
      const name = params['name'] ?? '';
      if (!/^\w(?:[\w.-]{0,126}\w)?$/.test(name))
        throw badRequest('the name of a role must have 1 to 128 letters, digits and _ . -');
      const changes = changesOf(body);
      await writeTokenRole(services.db, { namespaceId: namespace.id, name }, (before) => {
        const after = { ...(before ?? NEW_ROLE), ...changes };
        note(describeWrite(before, after, NEW_ROLE));
        return after;
      });
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: ROLE,
    access: 'policy',
    summary: 'Delete a token role; its tokens stay valid',
    answers: { 204: {} },
    handle: async ({ services, namespace, params, note }) => {
      const former = await deleteTokenRole(services.db, namespace.id, params['name'] ?? '');
      note({
        change: former ? 'deleted' : 'none',
        ...(former ? { former: describeChanges(former, {}) } : {}),
      });
      return noContent();
    },
  }),
];

function changesOf(body: Asked): Partial<TokenRoleSettings> {
  refuseUnoffered(body);
  const limit = secondsOf('token_explicit_max_ttl', body.token_explicit_max_ttl ?? body.explicit_max_ttl);
  const period = secondsOf('token_period', body.token_period ?? body.period);
  const cidrs = (body.token_bound_cidrs ?? body.bound_cidrs)?.map((cidr) => cidr.trim()).filter(Boolean);
  for (const glob of [body.allowed_policies_glob ?? [], body.disallowed_policies_glob ?? []].flat())
    requireWithin(LIMITS.globLetters, glob.length);
  requireWithin(LIMITS.roleCidrs, cidrs?.length ?? 0);
  const wrong = cidrs?.find((cidr) => !isCidr(cidr));
  if (wrong !== undefined)
    throw badRequest(`token_bound_cidrs: ${JSON.stringify(wrong)} is neither an address nor a range (CIDR)`);
  if (body.path_suffix && !/^\w(?:[\w.-]{0,126}\w)?$/.test(body.path_suffix))
    throw badRequest('path_suffix must have 1 to 128 letters, digits and _ . -');
  const given = {
    allowed_policies: body.allowed_policies && policyNames(body.allowed_policies),
    allowed_policies_glob: body.allowed_policies_glob && policyNames(body.allowed_policies_glob),
    disallowed_policies: body.disallowed_policies && policyNames(body.disallowed_policies),
    disallowed_policies_glob: body.disallowed_policies_glob && policyNames(body.disallowed_policies_glob),
    orphan: body.orphan,
    renewable: body.renewable,
    path_suffix: body.path_suffix,
    token_explicit_max_ttl: limit,
    token_period: period,
    token_bound_cidrs: cidrs,
    token_no_default_policy: body.token_no_default_policy,
    token_num_uses: body.token_num_uses,
    token_type:
      body.token_type && body.token_type !== 'service' ? 'default-service' : body.token_type || undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function refuseUnoffered(body: Asked): void {
  refuseOtherTypes(body.token_type);
  if (body.allowed_entity_aliases?.length)
    throw badRequest('entities are not supported: leave allowed_entity_aliases out');
  if (body.token_policies?.length) throw badRequest('token_policies is not supported: use allowed_policies');
  if (secondsOf('token_ttl', body.token_ttl))
    throw badRequest('token_ttl is not supported: send ttl when you create a token');
  if (secondsOf('token_max_ttl', body.token_max_ttl))
    throw badRequest('token_max_ttl is not supported: use token_explicit_max_ttl');
}
