import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { publicUrl } from '../../../../libs/config/config.ts';
import { LONGEST_SIGNED_SECONDS } from '../../../../libs/connector/identity/identity.ts';
import { signToken } from '../../../../libs/crypto/signing-key.ts';
import { signingKey } from '../../../../libs/service/signing-key.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import type { Caller } from '../../access/caller.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { closed, texts, time } from '../../contract/schema.ts';

const DEFAULT_SECONDS = 60 * 60;

const audienceSchema = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
  minItems: 1,
  maxItems: 10,
  description: 'Who the token is for. Default: the address of this service.',
});

const ttlSchema = Type.Unsafe<string | number>({
  type: ['integer', 'string'],
  description: 'How long the token is valid: seconds, or a duration such as 30m. Default 1h, at most 24h.',
});

const tokenAnswer = closed({
  token: Type.String(),
  key_id: Type.String(),
  audience: texts,
  ttl: Type.Integer({ description: 'Seconds.' }),
  expires_at: time,
});

/** Tokens with which a workload proves to others who it is here. */
export const oidcTokenEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/identity/oidc/token',
    access: 'policy',
    summary: 'Issue a signed workload token for the caller',
    answers: { 200: { data: tokenAnswer } },
    alsoMethods: ['PUT'],
    body: Type.Object({ audience: Type.Optional(audienceSchema), ttl: Type.Optional(ttlSchema) }),
    handle: async ({ body, services, caller, namespace, requestId, note }) => {
      const issuer = publicUrl(services.config);
      const [audience = issuer, ...others] = body.audience ?? [];
      const now = Math.floor(Date.now() / 1000);
      const expiry = Math.min(now + lifetime(body.ttl), endOf(caller));
      const key = await signingKey(services, { actor: 'api', requestId });
      note({ subject: subjectOf(caller, namespace.path), audience: [audience, ...others] });
      const token = await signToken(key, {
        iss: issuer,
        sub: subjectOf(caller, namespace.path),
        aud: others.length > 0 ? [audience, ...others] : audience,
        iat: now,
        nbf: now,
        exp: expiry,
        jti: randomUUID(),
        sealift_namespace: namespace.path,
        sealift_caller: caller.token.display_name,
        sealift_accessor: caller.token.accessor,
      });
      return ok({
        token,
        key_id: key.kid,
        audience: [audience, ...others],
        ttl: expiry - now,
        expires_at: new Date(expiry * 1000).toISOString(),
      });
    },
  }),
];

function lifetime(ttl: string | number | undefined): number {
  if (ttl === undefined || ttl === '') return DEFAULT_SECONDS;
  const seconds = parseDuration(ttl);
  if (seconds === undefined || seconds <= 0)
    throw badRequest('ttl must be a duration of at least one second');
  if (seconds > LONGEST_SIGNED_SECONDS) throw badRequest('ttl must be at most 24h');
  return seconds;
}

// A workload token must not outlive the token of the caller. That token ends at the latest with the tokens that it was
// made with.
function endOf({ token }: Caller): number {
  return token.ends_at ? Math.floor(token.ends_at.getTime() / 1000) : Number.POSITIVE_INFINITY;
}

/**
 * `namespace:{path}:caller:{display name}:{accessor}`; the path of the root namespace is `root`. Nobody can choose the
 * accessor, but a caller who may make tokens can give them any display name. Colons inside a part are escaped.
 */
function subjectOf({ token }: Caller, namespacePath: string): string {
  const part = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/');
  return `namespace:${part(namespacePath || 'root')}:caller:${part(token.display_name)}:${part(token.accessor)}`;
}
