import { Type, type Static } from 'typebox';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import type { AuthRole, TokenRules } from '../../../../../libs/store/auth/roles.ts';
import { jwtRoleAnswer } from '../../../contract/mounts.ts';
import type { ClaimRules } from '../../../log-in/claims.ts';
import { presentRole } from '../../../presenters/auth-method.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../../routing/endpoint.ts';
import { duration, names, secondsOf } from '../../tokens/schemas.ts';
import { openToIssuer } from '../open-roles.ts';
import { deleteRoleOf, findRole, listRolesOf, writeRole, writeRoleOf } from '../role-rows.ts';
import { checkTokenRules, given, NEW_TOKEN_RULES, tokenRuleBody, tokenRulesOf } from '../token-rules.ts';
import { boundClaimsOf, mappingsOf } from './claim-fields.ts';

const ROLE = '/~jwt/role/:name';
// Whoever needs more has a clock to mend. A token that ended counts for that much longer.
const MOST_LEEWAY_SECONDS = 3600;

/** What a role of `jwt` asks of a token. Times in seconds. */
export type JwtRules = ClaimRules & {
  user_claim: string;
  user_claim_json_pointer: boolean;
  /** Names of metadata of the token, by the claims that they get their values from. */
  claim_mappings: Record<string, string>;
  clock_skew_leeway: number;
  /** Stored and returned. */
  expiration_leeway?: number;
  not_before_leeway?: number;
};

type Settings = TokenRules & JwtRules;

const objectOrText = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | Record<string, unknown> | null>({ type: ['object', 'string', 'null'], description }),
  );
const text = (description: string) => Type.Optional(Type.String({ maxLength: 2000, description }));

/** The body of a role of `jwt`. */
export const jwtRoleBody = Type.Object({
  role_type: Type.Optional(Type.String({ description: '`jwt`, which is the default.' })),
  user_claim: text('The claim that names who logs in.'),
  user_claim_json_pointer: Type.Optional(Type.Boolean({ description: 'user_claim is a JSON pointer.' })),
  bound_audiences: names('Audiences of which a token must name one. A token with an audience needs them.'),
  bound_subject: text('The subject that tokens must name.'),
  bound_claims: objectOrText(
    'Claims that a token must have: the value, or a list of values of which it needs one.',
  ),
  bound_claims_type: Type.Optional(
    Type.String({
      description: '`string` (default), or `glob`: in the values of bound_claims, * stands for any text.',
    }),
  ),
  claim_mappings: objectOrText('Metadata of the tokens: names by the claims that give the values.'),
  clock_skew_leeway: duration('How far the clocks may differ. Default, and 0: 60 s. At most an hour.'),
  expiration_leeway: duration(
    'Stored and returned; it has no effect, since every token must have an expiration time.',
  ),
  not_before_leeway: duration('Stored and returned; it has no effect: see clock_skew_leeway.'),
  groups_claim: text('Not supported: leave it out.'),
  ...tokenRuleBody,
});

const NEW_ROLE: Settings = {
  user_claim: '',
  user_claim_json_pointer: false,
  bound_audiences: [],
  bound_subject: '',
  bound_claims: {},
  bound_claims_type: 'string',
  claim_mappings: {},
  clock_skew_leeway: 0,
  ...NEW_TOKEN_RULES,
};

/** The roles of `jwt`. */
export const jwtRoleEndpoints: Endpoint[] = [
  listRolesOf('jwt'),
  endpoint({
    method: 'GET',
    path: ROLE,
    access: 'policy',
    summary: 'Read a role',
    answers: { 200: { data: jwtRoleAnswer } },
    handle: async (request) => {
      const role = await findRole<JwtRules>(request);
      if (!role) throw notFound();
      return ok(present(role));
    },
  }),
  writeRoleOf('jwt', jwtRoleBody, (request) =>
    writeRole<JwtRules>(request, {
      newRole: NEW_ROLE,
      changes: () => changesOf(request.body),
      check: (settings) => check(request, settings),
    }),
  ),
  deleteRoleOf('jwt', 'Delete a role; its tokens stay, but cannot be renewed'),
];

function present(role: AuthRole<JwtRules>): Static<typeof jwtRoleAnswer> {
  const { bound_claims: bound, claim_mappings: mappings, ...rest } = presentRole(role);
  return {
    role_type: 'jwt',
    ...rest,
    // Clients know null for none.
    bound_claims: (Object.keys(bound).length > 0 ? bound : null) as Record<string, string> | null,
    claim_mappings: Object.keys(mappings).length > 0 ? mappings : null,
    expiration_leeway: role.settings.expiration_leeway ?? 0,
    not_before_leeway: role.settings.not_before_leeway ?? 0,
    groups_claim: '',
    verbose_oidc_logging: false,
  };
}

function changesOf(body: Static<typeof jwtRoleBody>): Partial<Settings> {
  const { role_type: type, bound_claims_type: kind, groups_claim: groups } = body;
  if (type && type !== 'jwt')
    throw badRequest(`the role_type ${JSON.stringify(type.slice(0, 60))} is not supported: only jwt is`);
  if (groups) throw badRequest('groups_claim is not supported: there are no groups, so use bound_claims');
  if (kind && kind !== 'string' && kind !== 'glob')
    throw badRequest("invalid 'bound_claims_type': it is string or glob");
  return {
    ...tokenRulesOf(body),
    ...given<JwtRules>({
      user_claim: body.user_claim,
      user_claim_json_pointer: body.user_claim_json_pointer,
      bound_audiences: body.bound_audiences?.filter(Boolean),
      bound_subject: body.bound_subject,
      bound_claims: boundClaimsOf(body.bound_claims),
      bound_claims_type: kind ? (kind as 'string' | 'glob') : undefined,
      claim_mappings: mappingsOf(body.claim_mappings),
      clock_skew_leeway: leewayOf(body),
      expiration_leeway: secondsOf('expiration_leeway', body.expiration_leeway),
      not_before_leeway: secondsOf('not_before_leeway', body.not_before_leeway),
    }),
  };
}

function leewayOf({ clock_skew_leeway: sent }: Static<typeof jwtRoleBody>): number | undefined {
  const seconds = secondsOf('clock_skew_leeway', sent);
  if (seconds !== undefined && seconds > MOST_LEEWAY_SECONDS)
    throw badRequest('clock_skew_leeway must be at most an hour (3600)');
  return seconds;
}

function check(request: ApiRequest, settings: Settings): void {
  checkTokenRules(request, settings);
  if (settings.user_claim === '') throw badRequest('a user claim must be defined on the role');
  const bounds = [
    settings.bound_audiences.length,
    settings.bound_subject.length,
    Object.keys(settings.bound_claims).length,
    settings.token_bound_cidrs.length,
  ];
  if (bounds.every((count) => count === 0))
    throw badRequest('must have at least one bound constraint when creating/updating a role');
  const open = openToIssuer(settings);
  if (open !== null) request.warn(open);
}
