import { Type, type Static } from 'typebox';
import type { JWK } from '../../../../../libs/crypto/signing-key.ts';
import { publicKeyOf, TOKEN_ALGORITHMS } from '../../../../../libs/crypto/verify-token.ts';
import { transact } from '../../../../../libs/db/transact.ts';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import {
  findKeySet,
  replaceKeySet,
  type KeySet,
  type KeySource,
} from '../../../../../libs/store/auth/key-sets.ts';
import { lockAuthMount, updateAuthMount } from '../../../../../libs/store/auth/mounts.ts';
import { describeChanges } from '../../../../../libs/validation/changes.ts';
import { jwtConfigAnswer, type JwtConfigAnswer } from '../../../contract/mounts.ts';
import { fetchKeys } from '../../../log-in/verify-jwt.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../../routing/endpoint.ts';
import { names } from '../../tokens/schemas.ts';
import { authMountOf, isConfigured, refuseSession } from '../token-rules.ts';

const MOST_KEYS = 20;
const LONGEST = 64 * 1024;

const text = (description: string) => Type.Optional(Type.String({ maxLength: LONGEST, description }));
const unsupported = Type.Optional(Type.Unknown({ description: 'Not supported: leave it out.' }));
const UNSUPPORTED = ['jwks_pairs', 'oidc_client_id', 'oidc_client_secret', 'provider_config'] as const;

/** The body of the configuration of `jwt`. */
export const jwtConfigBody = Type.Object({
  oidc_discovery_url: text('The issuer: its keys are found by the discovery document below this URL.'),
  oidc_discovery_ca_pem: text('Certificates to trust for this URL instead of the usual ones, in PEM.'),
  jwks_url: text('The URL of the key set of the issuer.'),
  jwks_ca_pem: text('Certificates to trust for this URL instead of the usual ones, in PEM.'),
  jwt_validation_pubkeys: names(
    'Public keys or certificates of the issuer, in PEM, where nothing is fetched.',
  ),
  jwt_supported_algs: names(`Signatures that count. Default: ${TOKEN_ALGORITHMS.join(', ')}.`),
  bound_issuer: text(
    'The issuer that tokens must name. With discovery, they must name the one found anyway.',
  ),
  default_role: text('The role of a log-in that names none.'),
  namespace_in_state: Type.Optional(
    Type.Boolean({ description: 'Stored and returned; it has no effect. Default: true.' }),
  ),
  jwks_pairs: unsupported,
  oidc_client_id: unsupported,
  oidc_client_secret: Type.Optional(
    Type.Unknown({ sensitive: true, description: 'Not supported: leave it out.' }),
  ),
  provider_config: unsupported,
});

type Body = Static<typeof jwtConfigBody>;
type Config = Omit<JwtConfigAnswer, 'keys' | 'keys_fetched_at' | 'keys_fault'>;

const EMPTY: Config = {
  oidc_discovery_url: '',
  oidc_discovery_ca_pem: '',
  jwks_url: '',
  jwks_ca_pem: '',
  jwt_validation_pubkeys: [],
  jwt_supported_algs: [],
  bound_issuer: '',
  default_role: '',
  namespace_in_state: true,
};

/** How tokens of an issuer are verified. */
export const jwtConfigEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~jwt/config',
    access: 'policy',
    summary: 'Read whose tokens log in, and since when their keys are known',
    answers: { 200: { data: jwtConfigAnswer } },
    handle: async (request) => {
      const mount = authMountOf(request);
      if (!isConfigured(mount)) throw notFound();
      const found = await findKeySet(request.services.db, mount.id);
      return ok({
        ...EMPTY,
        ...(mount.config as Partial<Config>),
        keys: found?.keys.length ?? 0,
        keys_fetched_at: found?.fetched_at.toISOString() ?? null,
        keys_fault: found?.fault ?? null,
      });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/~jwt/config',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Say whose tokens log in; replaces the whole configuration',
    answers: { 204: {} },
    body: jwtConfigBody,
    exists: async (request) => isConfigured(authMountOf(request)),
    handle: async (request) => {
      refuseSession(request);
      await write(request);
      return noContent();
    },
  }),
];

async function write(request: ApiRequest<Body>): Promise<void> {
  const { services, warn, note } = request;
  const mount = authMountOf(request);
  const config = configOf(request.body);
  note({ mount: mount.path, changed: describeChanges({ ...EMPTY, ...mount.config }, config) });
  const source = sourceOf(config);
  const keySet = source ? await fetchKeys(services, source) : { issuer: null, keys: keysOf(config) };
  if (config.bound_issuer === '' && keySet.issuer === null)
    warn('without bound_issuer, a token of any issuer counts that one of these keys has signed');
  await store(request, config, { ...keySet, source });
}

async function store(
  request: ApiRequest,
  config: Config,
  keySet: KeySet & { source: KeySource | null },
): Promise<void> {
  const { id, path } = authMountOf(request);
  await transact(request.services.db, async (transaction) => {
    if (!(await lockAuthMount(transaction, { id, path }))) throw badRequest(`No auth engine at ${path}/`);
    await updateAuthMount(transaction, id, { config });
    await replaceKeySet(transaction, id, keySet);
  });
}

function configOf(body: Body): Config {
  const refused = UNSUPPORTED.find((name) => !isEmpty(body[name]));
  if (refused) throw badRequest(`${refused} is not supported: leave it out`);
  const config = Object.fromEntries(
    Object.entries(EMPTY).map(([name, empty]) => [name, body[name as keyof Config] ?? empty]),
  ) as Config;
  config.jwt_validation_pubkeys = config.jwt_validation_pubkeys.filter(Boolean);
  const sources = [config.oidc_discovery_url, config.jwks_url, config.jwt_validation_pubkeys.join('')];
  if (sources.filter(Boolean).length !== 1)
    throw badRequest(
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url' or 'oidc_discovery_url' must be set",
    );
  const wrong = config.jwt_supported_algs.find((alg) => !TOKEN_ALGORITHMS.includes(alg));
  if (wrong !== undefined)
    throw badRequest(
      `jwt_supported_algs: ${JSON.stringify(wrong)} is none of ${TOKEN_ALGORITHMS.join(', ')}`,
    );
  return config;
}

function sourceOf(config: Config): KeySource | null {
  const { oidc_discovery_url: discoveryUrl, jwks_url: keySetUrl } = config;
  if (discoveryUrl !== '') return { discoveryUrl, ca: config.oidc_discovery_ca_pem };
  return keySetUrl === '' ? null : { keySetUrl, ca: config.jwks_ca_pem };
}

function keysOf({ jwt_validation_pubkeys: pems }: Config): JWK[] {
  if (pems.length > MOST_KEYS) throw badRequest(`jwt_validation_pubkeys: at most ${MOST_KEYS} keys`);
  try {
    return pems.map(publicKeyOf);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
