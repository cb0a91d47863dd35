import { Type, type Static } from 'typebox';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import type { AuthRole } from '../../../../../libs/store/auth/roles.ts';
import {
  createSecretId,
  deleteSecretId,
  findSecretId,
  findSecretIdByAccessor,
  listSecretIds,
  type SecretId,
  type SecretIdOwner,
} from '../../../../../libs/store/auth/secret-ids.ts';
import { tellList } from '../../../../../libs/validation/told.ts';
import { areWithinCidrs } from '../../../access/bound-cidrs.ts';
import { newSecretIdAnswer, secretIdAnswer, secretIdsAnswer } from '../../../contract/mounts.ts';
import { presentSecretId, presentSecretIds } from '../../../presenters/auth-method.ts';
import {
  endpoint,
  isThere,
  noContent,
  ok,
  type ApiRequest,
  type Endpoint,
} from '../../../routing/endpoint.ts';
import { duration, names, secondsOf } from '../../tokens/schemas.ts';
import { authMountOf, cidrsOf, refuseSession } from '../token-rules.ts';
import { metadataField, metadataOf } from '../metadata.ts';
import { appRoleOf, type AppRoleRules } from './role.ts';

const MOST_USES = 2 ** 31 - 1;
const ROLE = '/~approle/role/:name';

const secretId = Type.Optional(
  Type.String({ sensitive: true, maxLength: 4096, description: 'The secret id.' }),
);
const accessor = Type.Optional(Type.String({ description: 'Accessor of the secret id.' }));

/** The body that makes a secret id. */
export const newSecretIdBody = {
  metadata: metadataField('Names with values, which the tokens get as their metadata.'),
  cidr_list: names(
    'Addresses and ranges (CIDR) from which to log in, within those of the role. Empty: as the role says.',
  ),
  token_bound_cidrs: names('The same for the tokens.'),
  num_uses: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_USES,
      description: 'Number of log-ins allowed. Defaults to, and can’t exceed, the role’s.',
    }),
  ),
  ttl: duration('How long it is valid. Defaults to, and can’t exceed, the role’s.'),
};

const makes = { method: 'POST' as const, alsoMethods: ['PUT' as const], access: 'policy' as const };
const finds = { ...makes, exists: isThere };

/** The secret ids of a role: credentials, each with an accessor that tells nothing about it. */
export const secretIdEndpoints: Endpoint[] = [
  endpoint({
    ...makes,
    path: `${ROLE}/secret-id`,
    summary: 'Make a secret id',
    answers: { 200: { data: newSecretIdAnswer } },
    body: Type.Object(newSecretIdBody),
    handle: (request) => create(request),
  }),
  endpoint({
    ...makes,
    path: `${ROLE}/custom-secret-id`,
    summary: 'Take a secret id that you chose',
    answers: { 200: { data: newSecretIdAnswer } },
    body: Type.Object({ ...newSecretIdBody, secret_id: secretId }),
    handle: (request) => {
      const { secret_id } = request.body;
      if (!secret_id) throw badRequest('missing secret_id');
      return create(request, secret_id);
    },
  }),
  endpoint({
    method: 'LIST',
    path: `${ROLE}/secret-id`,
    access: 'policy',
    summary: 'List the accessors of the secret ids, with how long each lives',
    answers: { 200: { data: secretIdsAnswer } },
    handle: async (request) => {
      const found = await listSecretIds(request.services.db, await ownerOf(request));
      if (found.length === 0) throw notFound();
      return ok(presentSecretIds(found));
    },
  }),
  endpoint({
    ...finds,
    path: `${ROLE}/secret-id/lookup`,
    summary: 'Read a secret id; 204 if there is none',
    answers: { 200: { data: secretIdAnswer }, 204: {} },
    body: Type.Object({ secret_id: secretId }),
    handle: async (request) => {
      const found = await findBySecret(request);
      return found ? ok(presentSecretId(found)) : noContent();
    },
  }),
  endpoint({
    ...finds,
    path: `${ROLE}/secret-id/destroy`,
    alsoMethods: ['PUT', 'DELETE'],
    summary: 'Delete a secret id; succeeds if there is none',
    answers: { 204: {} },
    body: Type.Object({ secret_id: secretId }),
    handle: async (request) => destroy(request, await findBySecret(request)),
  }),
  endpoint({
    ...finds,
    path: `${ROLE}/secret-id-accessor/lookup`,
    summary: 'Read a secret id by its accessor',
    answers: { 200: { data: secretIdAnswer } },
    body: Type.Object({ secret_id_accessor: accessor }),
    handle: async (request) => ok(presentSecretId(await findByAccessor(request))),
  }),
  endpoint({
    ...finds,
    path: `${ROLE}/secret-id-accessor/destroy`,
    alsoMethods: ['PUT', 'DELETE'],
    summary: 'Delete a secret id by its accessor',
    answers: { 204: {} },
    body: Type.Object({ secret_id_accessor: accessor }),
    handle: async (request) => destroy(request, await findByAccessor(request)),
  }),
];

const schema = Type.Object(newSecretIdBody);

async function create(request: ApiRequest<Static<typeof schema>>, secret?: string) {
  refuseSession(request);
  const { services, body, note } = request;
  const role = await appRoleOf(request);
  if (!role.settings.bind_secret_id) throw badRequest('bind_secret_id is not set on the role');
  const made = { ...(await boundsOf(body, role)), metadata: metadataOf('metadata', body.metadata) };
  const owner = { mountId: authMountOf(request).id, role: role.name };
  const { hashKey } = services.installation;
  const created = await createSecretId(services.db, hashKey, owner, {
    ...made,
    ...(secret === undefined ? {} : { secret }),
  });
  note({
    secret_id_accessor: created.accessor,
    ttl_seconds: made.ttl_seconds,
    num_uses: made.uses_left,
    cidrs: tellList(made.cidrs),
  });
  return ok({
    secret_id: created.secret,
    secret_id_accessor: created.accessor,
    secret_id_ttl: made.ttl_seconds,
    secret_id_num_uses: made.uses_left ?? 0,
  });
}

// A secret id may be bound more closely than its role says, but not less.
async function boundsOf(
  body: Static<typeof schema>,
  { settings }: AuthRole<AppRoleRules>,
): Promise<Pick<SecretId, 'cidrs' | 'token_cidrs' | 'uses_left' | 'ttl_seconds'>> {
  const { secret_id_num_uses: mostUses, secret_id_ttl: longest } = settings;
  const uses = body.num_uses ?? mostUses;
  const ttl = secondsOf('ttl', body.ttl) ?? longest;
  if (mostUses > 0 && (uses === 0 || uses > mostUses))
    throw badRequest("num_uses cannot be higher than the role's secret_id_num_uses");
  if (longest > 0 && (ttl === 0 || ttl > longest))
    throw badRequest("ttl cannot be longer than the role's secret_id_ttl");
  const cidrs = cidrsOf('cidr_list', body.cidr_list) ?? [];
  const tokenCidrs = cidrsOf('token_bound_cidrs', body.token_bound_cidrs) ?? [];
  if (!(await areWithinCidrs(cidrs, settings.secret_id_bound_cidrs)))
    throw badRequest('cidr_list must lie within the secret_id_bound_cidrs of the role');
  if (!(await areWithinCidrs(tokenCidrs, settings.token_bound_cidrs)))
    throw badRequest('token_bound_cidrs must lie within those of the role');
  return { cidrs, token_cidrs: tokenCidrs, uses_left: uses || null, ttl_seconds: ttl };
}

async function ownerOf(request: ApiRequest): Promise<SecretIdOwner> {
  return { mountId: authMountOf(request).id, role: (await appRoleOf(request)).name };
}

async function findBySecret(request: ApiRequest<{ secret_id?: string }>): Promise<SecretId | undefined> {
  const { services, body } = request;
  if (!body.secret_id) throw badRequest('missing secret_id');
  return findSecretId(services.db, services.installation.hashKey, await ownerOf(request), body.secret_id);
}

async function findByAccessor(request: ApiRequest<{ secret_id_accessor?: string }>): Promise<SecretId> {
  const { services, body } = request;
  const named = body.secret_id_accessor;
  if (!named) throw badRequest('missing secret_id_accessor');
  const found = await findSecretIdByAccessor(services.db, await ownerOf(request), named);
  if (found) return found;
  // Clients look for this text.
  throw notFound(
    `failed to find accessor entry for secret_id_accessor: ${JSON.stringify(named.slice(0, 100))}`,
  );
}

async function destroy(request: ApiRequest, found: SecretId | undefined) {
  if (found) await deleteSecretId(request.services.db, found.accessor);
  request.note(found ? { secret_id_accessor: found.accessor } : { change: 'none' });
  return noContent();
}
