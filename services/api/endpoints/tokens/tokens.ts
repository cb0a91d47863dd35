import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import {
  deleteToken,
  deleteTokenOnly,
  renewToken,
  type Token,
} from '../../../../libs/store/access/tokens.ts';
import { findLogInLifetime } from '../../../../libs/store/auth/lifetime.ts';
import { readClock } from '../../../../libs/store/maintenance/jobs.ts';
import { deleteExpiredTokens } from '../../../../libs/store/maintenance/retention.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import { endpoint, isThere, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentedToken } from '../../http/presented.ts';
import { presentAuth, presentToken } from '../../presenters/token.ts';
import { tokenCreateEndpoints } from './create.ts';
import { findByAccessor, findBySecret, lookUp } from './find.ts';
import { tokenListEndpoints } from './list.ts';
import { tokenRoleEndpoints } from './roles.ts';
import { tokenAnswer } from '../../contract/tokens.ts';

const token = Type.Optional(Type.String({ sensitive: true, description: 'The token.' }));
const accessor = Type.Optional(Type.String({ description: 'Accessor of the token.' }));
const increment = Type.Optional(
  Type.Unsafe<string | number>({
    type: ['string', 'number'],
    description:
      'How long the token lives from now: seconds, or a duration such as 1h30m. Default: its `ttl`.',
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
    summary: "Read the caller's own token",
    answers: { 200: { data: tokenAnswer } },
    handle: async ({ caller, header }) => ok(presentToken(caller.token, presentedToken(header) ?? '')),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/lookup',
    ...writes,
    summary: 'Read a token',
    answers: { 200: { data: tokenAnswer } },
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
    summary: 'Read a token by its accessor',
    answers: { 200: { data: tokenAnswer } },
    body: Type.Object({ accessor }),
    handle: async (request) => {
      const found = await findByAccessor(request, request.body.accessor);
      request.note(described(found));
      return ok(presentToken(found, ''));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/renew-self',
    ...changes,
    summary: "Renew the caller's own token",
    answers: { 200: { grants: true } },
    body: Type.Object({ increment }),
    handle: async (request) => renew(request, request.caller.token, presentedToken(request.header) ?? ''),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/renew',
    ...changes,
    summary: 'Renew a token',
    answers: { 200: { grants: true } },
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
    summary: 'Renew a token by its accessor',
    answers: { 200: { grants: true } },
    body: Type.Object({ accessor, increment }),
    handle: async (request) => renew(request, await findByAccessor(request, request.body.accessor), ''),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-self',
    ...changes,
    summary: "Revoke the caller's own token and its child tokens",
    answers: { 204: {} },
    handle: async (request) => {
      await revoke(request, request.caller.token);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke',
    ...changes,
    summary: 'Revoke a token and its child tokens',
    answers: { 204: {} },
    body: Type.Object({ token }),
    handle: async (request) => {
      const found = await lookUp(request, request.body.token ?? '');
      if (found) await revoke(request, found);
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-accessor',
    ...changes,
    summary: 'Revoke a token and its child tokens, by its accessor',
    answers: { 204: {} },
    body: Type.Object({ accessor }),
    handle: async (request) => {
      await revoke(request, await findByAccessor(request, request.body.accessor));
      return noContent();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/revoke-orphan',
    alsoMethods: ['PUT'],
    access: 'sudo',
    exists: isThere,
    summary: 'Revoke a token; its child tokens stay valid',
    answers: { 204: {} },
    body: Type.Object({ token }),
    handle: async (request) => {
      const found = await findBySecret(request, request.body.token);
      request.note(described(found));
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
    summary: 'Delete expired and used-up tokens now; a job also does this regularly',
    answers: { 200: { data: Type.Null() } },
    handle: async ({ services: { db, config }, warn }) => {
      const now = await readClock(db);
      const limit = config.BATCH_ROWS;
      const count = await transact(db, (transaction) => deleteExpiredTokens(transaction, { now, limit }));
      // Clients expect the result here, and no data.
      warn(`expired and used-up tokens that were deleted: ${count}`);
      return { status: 200 };
    },
  }),
];

async function revoke(request: ApiRequest, revoked: Token): Promise<void> {
  request.note(described(revoked));
  await deleteToken(request.services.db, revoked.id);
}

// Which token a change was about, for the audit trail.
function described(about: Token): Record<string, unknown> {
  const { display_name, username } = about;
  return { accessor: about.accessor, display_name, ...(username === null ? {} : { user: username }) };
}

async function renew(
  { services, body, note }: ApiRequest<{ increment?: string | number }>,
  found: Token,
  secret: string,
) {
  note(described(found));
  const seconds = parseDuration(body.increment ?? 0);
  if (seconds === undefined || seconds < 0)
    throw badRequest('increment must be seconds or a duration such as 1h30m');
  // Clients look for this text.
  if (!found.expires_at || !found.renewable) throw badRequest('lease is not renewable');
  const lifetime = await findLogInLifetime(services.db, found);
  const wanted = found.period_seconds || seconds || lifetime?.ttl || found.ttl_seconds;
  const renewed = await renewToken(services.db, found, { seconds: wanted, most: lifetime?.most });
  if (!renewed) throw permissionDenied('bad token');
  note({ ttl_seconds: Math.ceil(renewed.remaining_seconds ?? 0) });
  return { status: 200, auth: presentAuth(renewed, secret) };
}
