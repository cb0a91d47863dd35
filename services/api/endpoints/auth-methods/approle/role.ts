import { randomUUID } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import { writeAuthRole, type AuthRole, type TokenRules } from '../../../../../libs/store/auth/roles.ts';
import { describeChanges, describeWrite } from '../../../../../libs/validation/changes.ts';
import { appRoleAnswer, roleIdAnswer } from '../../../contract/mounts.ts';
import { presentRole } from '../../../presenters/auth-method.ts';
import {
  endpoint,
  isThere,
  noContent,
  ok,
  type ApiRequest,
  type Endpoint,
} from '../../../routing/endpoint.ts';
import { duration, names, secondsOf } from '../../tokens/schemas.ts';
import { openToRoleId } from '../open-roles.ts';
import { deleteRoleOf, findRole, listRolesOf, requireNew, writeRoleOf } from '../role-rows.ts';
import {
  authMountOf,
  checkRoleName,
  checkTokenRules,
  cidrsOf,
  given,
  NEW_TOKEN_RULES,
  refuseSession,
  tokenRuleBody,
  tokenRulesOf,
} from '../token-rules.ts';

const MOST_USES = 2 ** 31 - 1;
const ROLE = '/~approle/role/:name';

/** What AppRole asks of a log-in; times in seconds, 0: no limit. */
export type AppRoleRules = {
  bind_secret_id: boolean;
  secret_id_bound_cidrs: string[];
  secret_id_num_uses: number;
  secret_id_ttl: number;
  /** Stored and returned: there is no replication. */
  local_secret_ids?: boolean;
};

type Settings = TokenRules & AppRoleRules;

const roleId = Type.Optional(
  Type.String({
    maxLength: 4096,
    description: 'The name by which machines call the role. Default: a random one.',
  }),
);

/** The body of a role of AppRole. */
export const appRoleBody = Type.Object({
  bind_secret_id: Type.Optional(Type.Boolean({ description: 'Whether a log-in needs a secret ID.' })),
  secret_id_bound_cidrs: names(
    'Addresses and ranges (CIDR) from which to log in with a secret ID. Empty: all.',
  ),
  secret_id_num_uses: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_USES,
      description: 'Number of log-ins allowed with one secret ID. 0: unlimited.',
    }),
  ),
  secret_id_ttl: duration('How long a secret ID is valid. 0: it never expires.'),
  role_id: roleId,
  local_secret_ids: Type.Optional(
    Type.Boolean({ description: 'Stored when the role is made, and returned; it has no effect.' }),
  ),
  ...tokenRuleBody,
});

const NEW_ROLE: Settings = {
  bind_secret_id: true,
  secret_id_bound_cidrs: [],
  secret_id_num_uses: 0,
  secret_id_ttl: 0,
  ...NEW_TOKEN_RULES,
};

/** The roles of AppRole. */
export const appRoleEndpoints: Endpoint[] = [
  listRolesOf('approle'),
  endpoint({
    method: 'GET',
    path: ROLE,
    access: 'policy',
    summary: 'Read a role',
    answers: { 200: { data: appRoleAnswer } },
    handle: async (request) => {
      const shown = presentRole(await appRoleOf(request));
      return ok({ ...shown, local_secret_ids: shown.local_secret_ids ?? false });
    },
  }),
  writeRoleOf('approle', appRoleBody, async (request) => {
    refuseSession(request);
    const name = request.params['name'] ?? '';
    checkRoleName(name);
    const changes = changesOf(request.body);
    const mountId = authMountOf(request).id;
    await writeAuthRole<AppRoleRules>(request.services.db, { mountId, name }, (before) => {
      requireNew(request, before);
      const settings = { ...(before?.settings ?? NEW_ROLE), ...changes };
      check(request, settings);
      if (before && (settings.local_secret_ids ?? false) !== (before.settings.local_secret_ids ?? false))
        throw badRequest('local_secret_ids can only be modified during role creation');
      const role_id = request.body.role_id || before?.role_id || randomUUID();
      const old = before && { ...before.settings, role_id: before.role_id };
      request.note(describeWrite(old, { ...settings, role_id }, NEW_ROLE));
      return { settings, role_id };
    });
    return noContent();
  }),
  deleteRoleOf('approle', 'Delete a role with its secret ids; its tokens stay, but cannot be renewed'),
  endpoint({
    method: 'GET',
    path: `${ROLE}/role-id`,
    access: 'policy',
    summary: 'Read the role id',
    answers: { 200: { data: roleIdAnswer } },
    handle: async (request) => ok({ role_id: (await appRoleOf(request)).role_id ?? '' }),
  }),
  endpoint({
    method: 'POST',
    path: `${ROLE}/role-id`,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Choose the role id',
    answers: { 204: {} },
    body: Type.Object({ role_id: roleId }),
    exists: isThere,
    handle: async (request) => {
      refuseSession(request);
      const { role_id } = request.body;
      if (!role_id) throw badRequest('missing role_id');
      const { name } = await appRoleOf(request);
      const mountId = authMountOf(request).id;
      await writeAuthRole<AppRoleRules>(request.services.db, { mountId, name }, (before) => {
        if (!before) throw notFound();
        request.note({ changed: describeChanges({ role_id: before.role_id }, { role_id }) });
        return { settings: before.settings, role_id };
      });
      return noContent();
    },
  }),
];

/** The role in the path. Throws 404. */
export async function appRoleOf(request: ApiRequest): Promise<AuthRole<AppRoleRules>> {
  const role = await findRole<AppRoleRules>(request);
  if (!role) throw notFound();
  return role;
}

function changesOf(body: Static<typeof appRoleBody>): Partial<Settings> {
  return {
    ...tokenRulesOf(body),
    ...given<AppRoleRules>({
      bind_secret_id: body.bind_secret_id,
      secret_id_bound_cidrs: cidrsOf('secret_id_bound_cidrs', body.secret_id_bound_cidrs),
      secret_id_num_uses: body.secret_id_num_uses,
      secret_id_ttl: secondsOf('secret_id_ttl', body.secret_id_ttl),
      local_secret_ids: body.local_secret_ids,
    }),
  };
}

function check(request: ApiRequest, settings: Settings): void {
  checkTokenRules(request, settings);
  const { bind_secret_id, secret_id_bound_cidrs, token_bound_cidrs } = settings;
  if (!bind_secret_id && secret_id_bound_cidrs.length === 0 && token_bound_cidrs.length === 0)
    throw badRequest('at least one constraint should be enabled on the role: a secret id, or bound CIDRs');
  const open = openToRoleId(settings);
  if (open !== null) request.warn(open);
}
