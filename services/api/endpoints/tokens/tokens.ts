import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import {
  deleteToken,
  deleteTokenOnly,
  renewToken,
  type Token,
} from '../../../../libs/store/access/tokens.ts';
import { readClock } from '../../../../libs/store/maintenance/jobs.ts';
import { deleteExpiredTokens } from '../../../../libs/store/maintenance/retention.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import {
  endpoint,
  isThere,
  noContent,
  ok,
  type ApiRequest,
  type Endpoint,
  type Reply,
} from '../../routing/endpoint.ts';
import { presentedToken } from '../../middleware/authenticate.ts';
import { presentAuth, presentToken } from '../../presenters/token.ts';
import { tokenCreateEndpoints } from './create.ts';
import { findByAccessor, findBySecret, lookUp } from './find.ts';
import { tokenListEndpoints } from './list.ts';
import { tokenRoleEndpoints } from './roles.ts';

const token = Type.Optional(Type.String({ sensitive: true, description: 'The token it is about.' }));
const accessor = Type.Optional(Type.String({ description: 'The accessor of the token it is about.' }));
const increment = Type.Optional(
  Type.Unsafe<string | number>({
    type: ['string', 'number'],
    description: 'How long from now; absent: its ttl.',
  }),
);

const writes = { alsoMethods: ['PUT' as const], access: 'policy' as const };
const changes = { ...writes, exists: isThere };

/** Tokens: look-up, renewal and revocation. */
export const tokenEndpoints: Endpoint[] = [
  ...tokenCreateEndpoints,
  ...tokenRoleEndpoints,
  ...tokenListEndpoints,
  endpoint({
    method: 'GET',
    path: '/auth/token/lookup-self',
    alsoMethods: ['POST', 'PUT'],
    access: 'policy',
    summary: "Read what the caller's own token is",
    handle: async ({ caller, header }) => ok(presentToken(caller.token, presentedToken(header) ?? '')),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/lookup',
    ...writes,
    summary: 'Read what a token is',
    body: Type.Object({ token }),
    handle: async (request) => {
      const secret = request.body.token ?? '';
      return ok(presentToken(await findBySecret(request, secret), secret));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/lookup-accessor',
    ...writes,
    summary: 'Read what the token of an accessor is',
    body: Type.Object({ accessor }),
    handle: async (request) => ok(presentToken(await findByAccessor(request, request.body.accessor), '')),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/renew-self',
    ...changes,
    summary: "Let the caller's own token live longer",
    body: Type.Object({ increment }),
    handle: async (request) => renew(request, request.caller.token, presentedToken(request.header) ?? ''),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/renew',
    ...changes,
    summary: 'Let a token live longer',
    body: Type.Object({ token, increment }),
    handle: async (request) => {
      const secret = request.body.token ?? '';
      return renew(request, await findBySecret(request, secret), secret);
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/renew-accessor',
    ...changes,
    summary: 'Let the token of an accessor live longer',
    body: Type.Object({ accessor, increment }),
    handle: async (request) => renew(request, await findByAccessor(request, request.body.accessor), ''),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-self',
    ...changes,
    summary: "End the caller's own token and those made with it",
    handle: async ({ services, caller }) => {
      await deleteToken(services.db, caller.token.id);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke',
    ...changes,
    summary: 'End a token and those made with it',
    body: Type.Object({ token }),
    handle: async (request) => {
      const found = await lookUp(request, request.body.token ?? '');
      if (found) await deleteToken(request.services.db, found.id);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-accessor',
    ...changes,
    summary: 'End the token of an accessor and those made with it',
    body: Type.Object({ accessor }),
    handle: async (request) => {
      await deleteToken(request.services.db, (await findByAccessor(request, request.body.accessor)).id);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-orphan',
    alsoMethods: ['PUT'],
    access: 'sudo',
    exists: isThere,
    summary: 'End a token; those made with it live on',
    body: Type.Object({ token }),
    handle: async (request) => {
      const found = await findBySecret(request, request.body.token);
      await deleteTokenOnly(request.services.db, found.id);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/tidy',
    alsoMethods: ['PUT'],
    access: 'sudo',
    exists: isThere,
    summary: 'Delete what is left of expired and used-up tokens now; a job does it regularly',
    handle: async ({ services: { db, config } }) => {
      const now = await readClock(db);
      const limit = config.BATCH_ROWS;
      return ok({
        tokens: await transact(db, (transaction) => deleteExpiredTokens(transaction, { now, limit })),
      });
    },
  }),
];

async function renew(
  { services, body }: ApiRequest<{ increment?: string | number }>,
  found: Token,
  secret: string,
): Promise<Reply> {
  const seconds = parseDuration(body.increment ?? 0);
  if (seconds === undefined || seconds < 0)
    throw badRequest('increment must be seconds or a duration such as 1h30m');
  if (!found.expires_at) return { status: 200, auth: presentAuth(found, secret) };
  if (!found.renewable) throw badRequest('the token is not renewable');
  const renewed = await renewToken(services.db, found, found.period_seconds || seconds || found.ttl_seconds);
  if (!renewed) throw permissionDenied('bad token');
  return { status: 200, auth: presentAuth(renewed, secret) };
}
