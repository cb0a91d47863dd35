import { Type, type Static } from 'typebox';
import { SignatureError } from '../../../../../libs/crypto/verify-token.ts';
import { badRequest, permissionDenied } from '../../../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../../../libs/store/auth/mounts.ts';
import { findAuthRole, type AuthRole } from '../../../../../libs/store/auth/roles.ts';
import {
  checkAudience,
  checkIssuer,
  checkValidity,
  ClaimsError,
  textsOf,
  type Claims,
} from '../../../log-in/claims.ts';
import { limitFailures, LogInRefusal } from '../../../log-in/failures.ts';
import { finishLogIn } from '../../../log-in/finish.ts';
import { proveByReview } from '../../../log-in/prove-by-review.ts';
import { proveByLabels } from '../../../log-in/select-namespace.ts';
import { findUnboundPart, serviceAccountOf, type ServiceAccount } from '../../../log-in/service-account.ts';
import { unverifiedClaims, verifyJwt } from '../../../log-in/verify-jwt.ts';
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
  const mount = authMountOf(request);
  request.note({ mount: mount.path });
  const { role: name, jwt } = request.body;
  if (!name) throw badRequest('missing role');
  if (!jwt) throw badRequest('missing jwt');
  if (!(mount.config as Partial<KubernetesConfig>).validation)
    throw badRequest('could not load configuration: write auth/{path}/config first');
  return limitFailures(request, mount, () => verify(request, mount, { name, jwt }));
}

async function verify(
  request: Request,
  mount: AuthMount,
  { name, jwt }: { name: string; jwt: string },
): Promise<Reply<never>> {
  const config = mount.config as Partial<KubernetesConfig>;
  const { validation, pem_keys: pems = [] } = config;
  // Until somebody has vouched for the token, its sender learns nothing of the roles.
  let isProven = pems.length > 0;
  try {
    const claims = isProven ? (await verifyJwt(request.services, mount, jwt)).claims : unverifiedClaims(jwt);
    const role = await findRole(request, name);
    const account = serviceAccountOf(claims);
    if (validation === 'review') {
      const { audience } = role.settings;
      const audiences = audience === '' ? [] : [audience];
      await proveByReview(request, mount, { jwt, account, named: textsOf(claims['aud'] ?? []), audiences });
      isProven = true;
    } else checkValidity(claims, LEEWAY_SECONDS);
    checkClaims(role, claims, issuersOf(config));
    await checkAccount(request, role, account);
    return await finish(request, role, account);
  } catch (error) {
    const { reason, answer } = refusalOf(error);
    throw new LogInRefusal(reason, isProven || error instanceof SignatureError ? answer : permissionDenied());
  }
}

// Throws what is no refusal.
function refusalOf(error: unknown): LogInRefusal {
  if (error instanceof LogInRefusal) return error;
  const part =
    error instanceof SignatureError ? 'token' : error instanceof ClaimsError ? error.part : undefined;
  if (part === undefined) throw error;
  const { message } = error as Error;
  return new LogInRefusal(message, badRequest(`error validating ${part}: ${message}`));
}

async function findRole({ services, authMount, note }: Request, name: string): Promise<Role> {
  if (!isRoleName(name))
    throw new LogInRefusal(
      'unknown role',
      badRequest(`invalid role name ${JSON.stringify(name.slice(0, 130))}`),
    );
  const role = await findAuthRole<KubernetesRules>(services.db, authMount?.id ?? 0, name);
  if (!role)
    throw new LogInRefusal('unknown role', badRequest(`role ${JSON.stringify(name)} could not be found`));
  note({ role: name });
  return role;
}

function issuersOf({ issuer = '', disable_iss_validation: isAny }: Partial<KubernetesConfig>): string[] {
  return issuer === '' || isAny ? [] : [issuer];
}

function checkClaims({ settings }: Role, claims: Claims, issuers: string[]): void {
  checkIssuer(claims, issuers);
  if (settings.audience !== '') checkAudience(claims['aud'], [settings.audience]);
}

async function checkAccount(request: Request, { settings }: Role, account: ServiceAccount): Promise<void> {
  const unbound = await findUnboundPart(account, settings);
  if (unbound === undefined) return;
  const { bound_service_account_namespace_selector: selector } = settings;
  if (unbound === 'namespace' && selector)
    return proveByLabels(request, authMountOf(request), { name: account.namespace, selector });
  const reason = `${unbound} not authorized`;
  throw new LogInRefusal(reason, permissionDenied(reason));
}

function finish(request: Request, role: Role, account: ServiceAccount): Promise<Reply<never>> {
  const { namespace, name, uid, secretName } = account;
  return finishLogIn(request, {
    mount: authMountOf(request),
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
