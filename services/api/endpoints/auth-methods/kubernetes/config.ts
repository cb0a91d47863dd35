import { Type, type Static } from 'typebox';
import { listSetting } from '../../../../../libs/config/config.ts';
import type { JWK } from '../../../../../libs/crypto/signing-key.ts';
import { publicKeyOf, readUnverified } from '../../../../../libs/crypto/verify-token.ts';
import { transact } from '../../../../../libs/db/transact.ts';
import { checkUrl } from '../../../../../libs/egress/guard.ts';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import { replaceKeySet } from '../../../../../libs/store/auth/key-sets.ts';
import { updateAuthMount } from '../../../../../libs/store/auth/mounts.ts';
import {
  hasTokenReviewer,
  lockAuthConfig,
  storeTokenReviewer,
} from '../../../../../libs/store/auth/token-reviewers.ts';
import { describeChanges } from '../../../../../libs/validation/changes.ts';
import { kubernetesConfigAnswer, type KubernetesConfigAnswer } from '../../../contract/mounts.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../../routing/endpoint.ts';
import { names } from '../../tokens/schemas.ts';
import { findCertificatesFault } from '../../../../../libs/validation/pem-faults.ts';
import { authMountOf, isConfigured, refuseSession } from '../token-rules.ts';

const MOST_KEYS = 20;
const LONGEST = 64 * 1024;
const LONGEST_TOKEN = 32 * 1024;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The body of the configuration of `kubernetes`. */
export const kubernetesConfigBody = Type.Object({
  kubernetes_host: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The URL of the API server of the cluster.' }),
  ),
  kubernetes_ca_cert: Type.Optional(
    Type.String({
      maxLength: LONGEST,
      description: 'Certificates to trust for this URL instead of the usual ones, in PEM.',
    }),
  ),
  token_reviewer_jwt: Type.Optional(
    Type.String({
      sensitive: true,
      maxLength: LONGEST_TOKEN,
      description:
        'The token of a service account that may ask the cluster about others (system:auth-delegator). Absent: it stays. Empty: it is removed.',
    }),
  ),
  pem_keys: names('Public keys or certificates with which the cluster signs tokens, in PEM.'),
  issuer: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The issuer (iss) that tokens must name.' }),
  ),
  disable_iss_validation: flag('The issuer is not asked, even if one is set.'),
  disable_local_ca_jwt: flag("The worker's own service account is not used."),
  use_annotations_as_alias_metadata: flag('Stored and returned; it has no effect.'),
  validation: Type.Optional(
    Type.String({
      description:
        '`local`: the keys in pem_keys verify tokens, the default if there are any. `review`: each log-in asks the cluster (TokenReview).',
    }),
  ),
});

type Body = Static<typeof kubernetesConfigBody>;

/** How an auth method verifies the tokens of a cluster. */
export type KubernetesConfig = Omit<KubernetesConfigAnswer, 'token_reviewer_jwt_set'>;

const EMPTY: KubernetesConfig = {
  kubernetes_host: '',
  kubernetes_ca_cert: '',
  pem_keys: [],
  issuer: '',
  disable_iss_validation: false,
  disable_local_ca_jwt: false,
  use_annotations_as_alias_metadata: false,
  validation: 'review',
};

/** How tokens of a cluster are verified. */
export const kubernetesConfigEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~kubernetes/config',
    access: 'policy',
    summary: 'Read how the tokens of a cluster are verified',
    answers: { 200: { data: kubernetesConfigAnswer } },
    handle: async (request) => {
      const mount = authMountOf(request);
      if (!isConfigured(mount)) throw notFound();
      const { id, config } = mount;
      return ok({
        ...EMPTY,
        ...(config as Partial<KubernetesConfig>),
        token_reviewer_jwt_set: await hasTokenReviewer(request.services.db, id),
      });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/~kubernetes/config',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Say how the tokens of a cluster are verified; replaces the whole configuration',
    answers: { 204: {} },
    body: kubernetesConfigBody,
    exists: async (request) => isConfigured(authMountOf(request)),
    handle: async (request) => {
      refuseSession(request);
      await write(request);
      return noContent();
    },
  }),
];

async function write(request: ApiRequest<Body>): Promise<void> {
  const { services, warn } = request;
  const { id, path } = authMountOf(request);
  const config = configOf(request.body);
  const fault = config.validation === 'review' ? egressFault(config, services) : null;
  if (fault !== null) warn(`kubernetes_host will not be called, and nobody can log in: ${fault}`);
  const keySet = { source: null, issuer: null, keys: keysOf(config) };
  const reviewer = reviewerOf(request.body);
  if (config.validation === 'local' && (config.issuer === '' || config.disable_iss_validation))
    warn('without issuer, a token of any issuer counts that one of these keys has signed');
  await transact(services.db, async (transaction) => {
    const before = await lockAuthConfig(transaction, id);
    if (!before) throw badRequest(`No auth engine at ${path}/`);
    noteChanges(request, before, config);
    if (reviewer === undefined) requireSameHost(before, config);
    else await storeTokenReviewer(transaction, services.keyring, { mountId: id, token: reviewer });
    await updateAuthMount(transaction, id, { config });
    await replaceKeySet(transaction, id, keySet);
  });
}

type Before = NonNullable<Awaited<ReturnType<typeof lockAuthConfig>>>;

function noteChanges(
  { body, note, authMount }: ApiRequest<Body>,
  before: Before,
  config: KubernetesConfig,
): void {
  const { token_reviewer_jwt: sent } = body;
  const hasReviewer = sent === undefined ? before.hasReviewer : sent !== '';
  const changed = describeChanges(
    { ...before.config, token_reviewer_jwt_set: before.hasReviewer },
    { ...config, token_reviewer_jwt_set: hasReviewer },
  );
  note({ mount: authMount?.path, changed, ...(sent ? { token_reviewer_jwt: 'replaced' } : {}) });
}

// Whoever may write the configuration must not learn the stored token by a host of its own, which would receive it.
function requireSameHost({ config, hasReviewer }: Before, { kubernetes_host: host }: KubernetesConfig): void {
  if (hasReviewer && config['kubernetes_host'] !== host)
    throw badRequest(
      'token_reviewer_jwt: send it with a new kubernetes_host, which would otherwise get the stored one',
    );
}

// Undefined: it stays. Null: there is none any more.
function reviewerOf({ token_reviewer_jwt: token }: Body): string | null | undefined {
  if (token === undefined) return undefined;
  const trimmed = token.trim();
  if (trimmed === '') return null;
  try {
    readUnverified(trimmed);
  } catch {
    throw badRequest('token_reviewer_jwt: it is no signed JWT');
  }
  return trimmed;
}

function configOf(body: Body): KubernetesConfig {
  const given = Object.fromEntries(
    Object.entries(EMPTY).map(([name, empty]) => [name, body[name as keyof Body] ?? empty]),
  ) as KubernetesConfig;
  const pems = given.pem_keys.filter(Boolean);
  const config = { ...given, pem_keys: pems, validation: validationOf(body.validation, pems) };
  if (config.validation === 'review' && config.kubernetes_host === '')
    throw badRequest(
      'no host provided: set kubernetes_host, or pem_keys to verify tokens without the cluster',
    );
  checkAddress(config);
  return config;
}

function validationOf(given: string | undefined, pems: string[]): KubernetesConfig['validation'] {
  if (!given) return pems.length > 0 ? 'local' : 'review';
  if (given !== 'local' && given !== 'review')
    throw badRequest("invalid 'validation': it is local or review");
  if (given === 'local' && pems.length === 0)
    throw badRequest('validation=local needs pem_keys, the public keys with which the cluster signs tokens');
  return given;
}

// The worker decides: this process may have been told of less that is allowed. The account of its own pod asks by names.
function egressFault(
  { kubernetes_host: host }: KubernetesConfig,
  { config }: ApiRequest['services'],
): string | null {
  return checkUrl(host, { egressAllow: listSetting(config.EGRESS_ALLOW) });
}

/** Throws 400 for an address of an API server, or certificates for it, that are none. */
export function checkAddress({
  kubernetes_host: host,
  kubernetes_ca_cert: certificates,
}: Pick<KubernetesConfig, 'kubernetes_host' | 'kubernetes_ca_cert'>): void {
  checkHost(host);
  checkCertificate(certificates);
}

function checkHost(host: string): void {
  if (host === '') return;
  const { protocol = '', username, search, hash } = URL.canParse(host) ? new URL(host) : ({} as Partial<URL>);
  if (!/^https?:$/.test(protocol) || username || search || hash)
    throw badRequest('kubernetes_host must be the URL of an API server, such as https://10.0.0.1:6443');
}

function checkCertificate(pem: string): void {
  if (pem === '') return;
  const fault = findCertificatesFault(pem);
  if (fault !== undefined) throw badRequest(`kubernetes_ca_cert ${fault}`);
}

function keysOf({ pem_keys: pems }: KubernetesConfig): JWK[] {
  if (pems.length > MOST_KEYS) throw badRequest(`pem_keys: at most ${MOST_KEYS} keys`);
  try {
    return pems.map(publicKeyOf);
  } catch (error) {
    throw badRequest(`pem_keys: ${(error as Error).message}`);
  }
}
