import { Type, type Static } from 'typebox';
import { SignatureError } from '../../../../../libs/crypto/verify-token.ts';
import { badRequest, permissionDenied } from '../../../../../libs/errors/request-error.ts';
import { findAuthRole, type AuthRole } from '../../../../../libs/store/auth/roles.ts';
import { checkAudience, checkValidity, ClaimsError, type Claims } from '../../../log-in/claims.ts';
import { failLogIn, requireFewFailures } from '../../../log-in/failures.ts';
import { finishLogIn } from '../../../log-in/finish.ts';
import { findUnboundPart, serviceAccountOf } from '../../../log-in/service-account.ts';
import { verifyJwt } from '../../../log-in/verify-jwt.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../../routing/endpoint.ts';
import { authMountOf, isRoleName } from '../token-rules.ts';
import type { KubernetesConfig } from './config.ts';
import type { KubernetesRules } from './role.ts';

const LONGEST_TOKEN = 32 * 1024;
const LEEWAY_SECONDS = 60;

const body = Type.Object({
  role: Type.Optional(Type.String({ description: 'The role.' })),
  jwt: Type.Optional(
    Type.String({
      sensitive: true,
      maxLength: LONGEST_TOKEN,
      description: 'The token of the service account.',
    }),
  ),
});

type Request = ApiRequest<Static<typeof body>>;
type Role = AuthRole<KubernetesRules>;

/** The log-in of `kubernetes`. */
export const kubernetesLogIn: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/~kubernetes/login',
    alsoMethods: ['PUT'],
    access: 'public',
    isLogIn: true,
    summary: 'Log in with the token of a service account; a token of ours that the request shows is ignored',
    answers: { 200: { grants: true } },
    body,
    handle: logIn,
  }),
];

async function logIn(request: Request): Promise<Reply<never>> {
  const { services, note } = request;
  const mount = authMountOf(request);
  note({ mount: mount.path });
  const { role: name, jwt } = request.body;
  if (!name) throw badRequest('missing role');
  if (!jwt) throw badRequest('missing jwt');
  await requireFewFailures(request);
  try {
    const { claims } = await verifyJwt(services, mount, jwt);
    // From here on the cluster has sent the caller, who may know what is wrong.
    const role = await roleOf(request, name);
    return await finish(request, role, claims);
  } catch (error) {
    if (error instanceof SignatureError) return fail(request, error.message, 'error validating token: ');
    if (error instanceof ClaimsError) return fail(request, error.message, `error validating ${error.part}: `);
    throw error;
  }
}

async function roleOf(request: Request, name: string): Promise<Role> {
  const unknown = (message: string): Promise<never> =>
    failLogIn(request, { reason: 'unknown role', refusal: badRequest(message) });
  if (!isRoleName(name)) return unknown(`invalid role name ${JSON.stringify(name.slice(0, 130))}`);
  const role = await findAuthRole<KubernetesRules>(request.services.db, authMountOf(request).id, name);
  if (!role) return unknown(`role ${JSON.stringify(name)} could not be found`);
  request.note({ role: name });
  return role;
}

async function finish(request: Request, role: Role, claims: Claims): Promise<Reply<never>> {
  const mount = authMountOf(request);
  const { issuer, disable_iss_validation: isAnyIssuer } = mount.config as KubernetesConfig;
  const { audience } = role.settings;
  checkValidity(claims, issuer === '' || isAnyIssuer ? [] : [issuer], LEEWAY_SECONDS);
  if (audience !== '') checkAudience(claims['aud'], [audience]);
  const account = serviceAccountOf(claims);
  const unbound = await findUnboundPart(account, role.settings);
  if (unbound !== undefined) {
    const reason = `${unbound} not authorized`;
    return failLogIn(request, { reason, refusal: permissionDenied(reason) });
  }
  const { namespace, name, uid, secretName } = account;
  return finishLogIn(request, {
    mount,
    role,
    user: `${namespace}-${name}`,
    metadata: {
      service_account_uid: uid,
      service_account_name: name,
      service_account_namespace: namespace,
      service_account_secret_name: secretName,
      role: role.name,
    },
  });
}

function fail(request: Request, reason: string, prefix: string): Promise<never> {
  return failLogIn(request, { reason, refusal: badRequest(`${prefix}${reason}`) });
}
