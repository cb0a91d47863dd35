import { Type, type Static } from 'typebox';
import { badRequest } from '../../../../../libs/errors/request-error.ts';
import type { Database } from '../../../../../libs/db/connect.ts';
import type { AuthMount } from '../../../../../libs/store/auth/mounts.ts';
import { findRoleById, type AuthRole } from '../../../../../libs/store/auth/roles.ts';
import { findSecretId, spendSecretId, type SecretId } from '../../../../../libs/store/auth/secret-ids.ts';
import { isWithinCidrs } from '../../../access/bound-cidrs.ts';
import { LogInRefusal, limitFailures } from '../../../log-in/failures.ts';
import { finishLogIn } from '../../../log-in/finish.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../../routing/endpoint.ts';
import { authMountOf } from '../token-rules.ts';
import type { AppRoleRules } from './role.ts';

const body = Type.Object({
  role_id: Type.Optional(Type.String({ description: 'The role id of the role.' })),
  secret_id: Type.Optional(Type.String({ sensitive: true, description: 'A secret id of the role.' })),
});

type Request = ApiRequest<Static<typeof body>>;
type Role = AuthRole<AppRoleRules>;

/** The log-in of AppRole. */
export const appRoleLogIn: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/~approle/login',
    alsoMethods: ['PUT'],
    access: 'public',
    isLogIn: true,
    summary: 'Log in with a role id and a secret id; a token that the request shows is ignored',
    answers: { 200: { grants: true } },
    body,
    handle: logIn,
  }),
];

async function logIn(request: Request): Promise<Reply<never>> {
  const { role_id: roleId } = request.body;
  const mount = authMountOf(request);
  request.note({ mount: mount.path });
  if (!roleId) throw badRequest('missing role_id');
  return limitFailures(request, mount, () => verify(request, mount, roleId), roleId);
}

async function verify(request: Request, mount: AuthMount, roleId: string): Promise<Reply<never>> {
  const { services, address, note } = request;
  const role: Role | undefined = await findRoleById<AppRoleRules>(services.db, mount.id, roleId);
  // The same for a role that there is not: the answer must not tell.
  if (!request.body.secret_id && (!role || role.settings.bind_secret_id))
    throw badRequest('missing secret_id');
  if (!role) throw refusal('unknown role id');
  note({ role: role.name });
  const found = await secretIdOf(request, role);
  if (found === 'unknown') throw refusal('unknown secret id');
  if (!mayComeFrom(address, role, found)) throw refusal('wrong address');
  return finishLogIn(request, {
    mount,
    role,
    user: role.name,
    metadata: { ...found?.metadata, role_name: role.name },
    boundCidrs: found?.token_cidrs ?? [],
    ...(found ? { spend: (transaction) => spend(transaction, found) } : {}),
  });
}

function refusal(reason: string): LogInRefusal {
  return new LogInRefusal(reason, badRequest('invalid role or secret ID'));
}

// Undefined if the role needs none.
async function secretIdOf(
  { services, body: { secret_id: secret = '' }, authMount }: Request,
  { name, settings }: Role,
): Promise<SecretId | undefined | 'unknown'> {
  if (!settings.bind_secret_id) return undefined;
  const owner = { mountId: authMount?.id ?? 0, role: name };
  return (await findSecretId(services.db, services.installation.hashKey, owner, secret)) ?? 'unknown';
}

function mayComeFrom(address: string, { settings }: Role, found: SecretId | undefined): boolean {
  const isWithin = isWithinCidrs(address, settings.secret_id_bound_cidrs);
  return isWithin && (!found || isWithinCidrs(address, found.cidrs));
}

// Last, so that only a log-in that succeeds counts.
async function spend(transaction: Database, { accessor, uses_left }: SecretId): Promise<void> {
  if (uses_left === null) return;
  if (!(await spendSecretId(transaction, accessor))) throw badRequest('invalid role or secret ID');
}
