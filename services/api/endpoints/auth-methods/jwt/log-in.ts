import { Type, type Static } from 'typebox';
import { SignatureError } from '../../../../../libs/crypto/verify-token.ts';
import { badRequest } from '../../../../../libs/errors/request-error.ts';
import type { AuthMount } from '../../../../../libs/store/auth/mounts.ts';
import { findAuthRole } from '../../../../../libs/store/auth/roles.ts';
import {
  checkClaims,
  checkIssuer,
  checkValidity,
  claimAt,
  ClaimsError,
  scalarOf,
  type Claims,
} from '../../../log-in/claims.ts';
import { limitFailures, LogInRefusal } from '../../../log-in/failures.ts';
import { finishLogIn } from '../../../log-in/finish.ts';
import { verifyJwt } from '../../../log-in/verify-jwt.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../../routing/endpoint.ts';
import { authMountOf, isRoleName } from '../token-rules.ts';
import type { JwtRules } from './role.ts';

const LONGEST_TOKEN = 32 * 1024;
const LONGEST_TEXT = 512;
const USUAL_LEEWAY = 60;

const body = Type.Object({
  role: Type.Optional(Type.String({ description: 'The role. Default: default_role of the configuration.' })),
  jwt: Type.Optional(
    Type.String({ sensitive: true, maxLength: LONGEST_TOKEN, description: 'The signed token.' }),
  ),
});

type Request = ApiRequest<Static<typeof body>>;

/** The log-in of `jwt`. */
export const jwtLogIn: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/~jwt/login',
    alsoMethods: ['PUT'],
    access: 'public',
    isLogIn: true,
    summary: 'Log in with a token of the issuer; a token of ours that the request shows is ignored',
    answers: { 200: { grants: true } },
    body,
    handle: logIn,
  }),
];

async function logIn(request: Request): Promise<Reply<never>> {
  const mount = authMountOf(request);
  request.note({ mount: mount.path });
  const { default_role: usual } = mount.config;
  const name = request.body.role || (typeof usual === 'string' ? usual : '');
  const { jwt } = request.body;
  if (name === '') throw badRequest('missing role');
  if (!jwt) throw badRequest('missing token');
  return limitFailures(request, mount, () => verify(request, mount, { name, jwt }));
}

async function verify(
  request: Request,
  mount: AuthMount,
  { name, jwt }: { name: string; jwt: string },
): Promise<Reply<never>> {
  const { services, note } = request;
  const { claims, issuer } = await verifyJwt(services, mount, jwt).catch((error: unknown) => {
    if (!(error instanceof SignatureError)) throw error;
    throw refusal(error.message, `error validating token: ${error.message}`);
  });
  // From here on the issuer has sent the caller, who may know what is wrong.
  if (!isRoleName(name))
    throw refusal('unknown role', `invalid role name ${JSON.stringify(name.slice(0, 130))}`);
  const role = await findAuthRole<JwtRules>(services.db, mount.id, name);
  if (!role) throw refusal('unknown role', `role ${JSON.stringify(name)} could not be found`);
  note({ role: name });
  const rules = role.settings;
  const issuers = [issuer, mount.config['bound_issuer']].filter((one): one is string => Boolean(one));
  try {
    checkValidity(claims, rules.clock_skew_leeway || USUAL_LEEWAY);
    checkIssuer(claims, issuers);
    await checkClaims(claims, rules);
    const metadata = { ...metadataOf(claims, rules), role: name };
    return await finishLogIn(request, { mount, role, user: userOf(claims, rules), metadata });
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    throw refusal(error.message, `error validating ${error.part}: ${error.message}`);
  }
}

function refusal(reason: string, message: string): LogInRefusal {
  return new LogInRefusal(reason, badRequest(message));
}

function userOf(claims: Claims, { user_claim: name, user_claim_json_pointer: isPointer }: JwtRules): string {
  const found = isPointer ? claimAt(claims, name) : Object.hasOwn(claims, name) ? claims[name] : undefined;
  const user = scalarOf(found);
  if (user === undefined || user === '')
    throw new ClaimsError('claims', `claim ${JSON.stringify(name)} not found in token, or no text`);
  // oxlint-disable-next-line no-control-regex
  if (user.length > LONGEST_TEXT || /[\u0000-\u001f\u007f]/.test(user))
    throw new ClaimsError(
      'claims',
      `claim ${JSON.stringify(name)} is too long for a name, or has control characters`,
    );
  return user.toWellFormed();
}

function metadataOf(claims: Claims, { claim_mappings: mappings }: JwtRules): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mappings).flatMap(([claim, name]) => {
      const text = scalarOf(claimAt(claims, claim));
      return text === undefined
        ? []
        : [[name, text.replaceAll('\0', '\uFFFD').slice(0, LONGEST_TEXT).toWellFormed()]];
    }),
  );
}
