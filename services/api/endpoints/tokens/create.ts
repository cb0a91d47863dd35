import { Type, type Static } from 'typebox';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../../../libs/db/sql-state.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findPolicies } from '../../../../libs/store/access/policies.ts';
import { createToken, findTokenByAccessor, type NewToken } from '../../../../libs/store/access/tokens.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import { BUILT_IN_POLICIES } from '../../access/policy.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import { presentAuth } from '../../presenters/token.ts';

const DEFAULT_TTL_SECONDS = 768 * 3600;

const duration = (description: string) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'], description }));

const body = Type.Object({
  policies: Type.Optional(Type.Array(Type.String(), { description: "Absent: the caller's own." })),
  ttl: duration('Seconds or 1h30m; absent: 768h, and for ever for a root token.'),
  lease: duration('An older name of ttl.'),
  explicit_max_ttl: duration('No renewal reaches beyond it; 0: no limit.'),
  renewable: Type.Optional(Type.Boolean()),
  display_name: Type.Optional(Type.String({ maxLength: 256 })),
  meta: Type.Optional(Type.Record(Type.String(), Type.String())),
  no_parent: Type.Optional(Type.Boolean({ description: 'The token outlives its maker; needs sudo.' })),
  no_default_policy: Type.Optional(Type.Boolean()),
  num_uses: Type.Optional(Type.Integer()),
  period: duration('Not offered.'),
  type: Type.Optional(Type.String()),
  id: Type.Optional(Type.String({ sensitive: true, description: 'Not offered: tokens are random.' })),
  entity_alias: Type.Optional(Type.String({ description: 'Not offered.' })),
});

type Asked = Static<typeof body>;

/** Making tokens. */
export const tokenCreateEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/auth/token/create',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Make a token with no more rights than the caller has',
    body,
    handle: async (request) => create(request, request.body.no_parent ?? false),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/token/create-orphan',
    alsoMethods: ['PUT'],
    access: 'sudo',
    summary: 'Make a token that outlives its maker',
    body,
    handle: async (request) => create(request, true),
  }),
];

async function create(request: ApiRequest<Asked>, isOrphan: boolean): Promise<Reply> {
  const { services, caller, namespace, body: asked } = request;
  refuseUnoffered(asked);
  const isTrusted = request.may(request.path, 'sudo');
  if (isOrphan && !isTrusted) throw badRequest('only a caller with sudo may make a token without a parent');
  const policies = policiesOf(request, isTrusted);
  const limit = secondsOf('explicit_max_ttl', asked.explicit_max_ttl) ?? 0;
  const forEver = policies.includes('root') ? 0 : DEFAULT_TTL_SECONDS;
  const ttl = secondsOf('ttl', asked.ttl ?? asked.lease) || forEver;
  const token: NewToken = {
    namespaceId: namespace.id,
    parentId: isOrphan ? null : caller.token.id,
    displayName: displayName(asked.display_name),
    policies,
    meta: asked.meta ?? null,
    renewable: asked.renewable ?? true,
    ttlSeconds: limit > 0 && (ttl === 0 || ttl > limit) ? limit : ttl,
    explicitMaxTtlSeconds: limit,
  };
  if (token.ttlSeconds < ttl) request.warn('ttl is longer than explicit_max_ttl, which counts');
  await warnOfMissingPolicies(request, policies);
  const made = await createToken(services.db, services.installation.hashKey, token).catch(refuseRevoked);
  const created = await findTokenByAccessor(services.db, made.accessor);
  if (!created) throw permissionDenied();
  return { status: 200, auth: presentAuth(created, made.secret) };
}

// The caller's token or the namespace ended at this moment.
function refuseRevoked(error: unknown): never {
  if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw permissionDenied();
  throw error;
}

/**
 * What the new token may carry. Names mean nothing in another namespace than the one they were written in, so there only
 * a caller with sudo can give any; and nobody but root gives root.
 */
function policiesOf(request: ApiRequest<Asked>, isTrusted: boolean): string[] {
  const { caller, namespace, body: asked } = request;
  const isAtHome = namespace.id === caller.token.namespace_id;
  const own = caller.token.policies;
  const wanted = asked.policies?.length
    ? asked.policies.map((name) => name.trim().toLowerCase())
    : isAtHome
      ? own
      : [];
  const named = [...new Set(wanted.filter(Boolean))].toSorted();
  if (named.includes('root')) {
    if (!own.includes('root')) throw badRequest('root tokens may only be made by root tokens');
    return ['root'];
  }
  const beyond = named.filter((name) => name !== 'default' && !(isAtHome && own.includes(name)));
  if (beyond.length > 0 && !isTrusted && !own.includes('root')) {
    throw badRequest("child policies must be a subset of the parent's");
  }
  if (asked.no_default_policy || named.includes('default')) return named;
  return [...named, 'default'].toSorted();
}

async function warnOfMissingPolicies(
  { services, namespace, warn }: ApiRequest,
  policies: string[],
): Promise<void> {
  const named = policies.filter((name) => !Object.hasOwn(BUILT_IN_POLICIES, name));
  const found = new Set((await findPolicies(services.db, namespace.id, named)).map((policy) => policy.name));
  for (const name of named) if (!found.has(name)) warn(`Policy ${JSON.stringify(name)} does not exist`);
}

function refuseUnoffered(asked: Asked): void {
  if (asked.num_uses) throw badRequest('tokens with a number of uses are not offered');
  if (secondsOf('period', asked.period))
    throw badRequest('periodic tokens are not offered: give a ttl and renew');
  if (asked.id) throw badRequest('a token cannot be chosen: it is random');
  if (asked.entity_alias) throw badRequest('entities are not offered');
  if (!['', 'service', 'default', 'default-service'].includes(asked.type ?? '')) {
    throw badRequest('only tokens of type service are offered');
  }
}

function secondsOf(name: string, given: string | number | undefined): number | undefined {
  if (given === undefined) return undefined;
  const seconds = parseDuration(given);
  if (seconds === undefined || seconds < 0)
    throw badRequest(`${name} must be seconds or a duration such as 1h30m`);
  return seconds;
}

function displayName(asked: string | undefined): string {
  return asked ? `token-${asked.replaceAll(/[^A-Za-z0-9-]/g, '-')}` : 'token';
}
