import { Type } from 'typebox';
import { publicUrl } from '../../../../libs/config/config.ts';
import { endpoint, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import { publicKeys } from './signing-keys.ts';
import { closed, texts } from '../../contract/schema.ts';

const KEYS_PATH = '/.well-known/jwks';

// The names under which clients of site administration look up its address.
const ADMIN_SERVICES = ['tfe.v2', 'tfe.v2.1', 'tfe.v2.2'];

const text = Type.String();

/** The discovery document of an issuer. */
export const discoveryAnswer = closed({
  issuer: text,
  jwks_uri: text,
  response_types_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  scopes_supported: texts,
  claims_supported: texts,
});

/** Public keys that verify tokens. */
export const publicKeysAnswer = closed({
  keys: Type.Array(closed({ e: text, n: text, alg: text, kid: text, kty: text, use: text })),
});

const servicesAnswer = closed(Object.fromEntries(ADMIN_SERVICES.map((name) => [name, text])));

/**
 * Documents with which anybody can verify the workload tokens that we issue, and admin clients find the site
 * administration.
 */
export const wellKnownEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/.well-known/openid-configuration',
    access: 'public',
    summary: 'Read the OpenID Connect discovery document of the issuer of workload tokens',
    answers: { 200: { body: discoveryAnswer } },
    handle: async ({ services }) => {
      const issuer = publicUrl(services.config);
      const claims = ['sealift_namespace', 'sealift_caller', 'sealift_accessor'];
      return plainJson(discovery({ issuer, keys: `${issuer}${KEYS_PATH}`, claims }));
    },
  }),
  ...[KEYS_PATH, `${KEYS_PATH}.json`].map((path) =>
    endpoint({
      method: 'GET',
      path,
      access: 'public',
      summary: 'Read the public keys that verify workload tokens',
      answers: { 200: { body: publicKeysAnswer } },
      handle: async ({ services, requestId }) => plainJson({ keys: await publicKeys(services, requestId) }),
    }),
  ),
  endpoint({
    method: 'GET',
    path: '/.well-known/terraform.json',
    access: 'public',
    summary: 'Read the service discovery document for infrastructure tools',
    answers: { 200: { body: servicesAnswer } },
    handle: async () => plainJson(Object.fromEntries(ADMIN_SERVICES.map((name) => [name, '/api/v2/']))),
  }),
];

/** A discovery document; `claims` are those beside the registered ones. */
export function discovery({ issuer, keys, claims }: { issuer: string; keys: string; claims: string[] }) {
  return {
    issuer,
    jwks_uri: keys,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
    claims_supported: ['sub', 'aud', 'exp', 'iat', 'iss', 'jti', 'nbf', ...claims],
  };
}

/** 200 with JSON as it is, without an envelope. */
export function plainJson(body: unknown): Reply<never> {
  return { status: 200, plain: { type: 'application/json', body: JSON.stringify(body) } };
}
