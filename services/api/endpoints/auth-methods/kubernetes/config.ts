import { X509Certificate } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { JWK } from '../../../../../libs/crypto/signing-key.ts';
import { publicKeyOf } from '../../../../../libs/crypto/verify-token.ts';
import { transact } from '../../../../../libs/db/transact.ts';
import { badRequest } from '../../../../../libs/errors/request-error.ts';
import { replaceKeySet } from '../../../../../libs/store/auth/key-sets.ts';
import { lockAuthMount, updateAuthMount } from '../../../../../libs/store/auth/mounts.ts';
import { describeChanges } from '../../../../../libs/validation/changes.ts';
import { kubernetesConfigAnswer, type KubernetesConfigAnswer } from '../../../contract/mounts.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../../routing/endpoint.ts';
import { names } from '../../tokens/schemas.ts';
import { authMountOf, refuseSession } from '../token-rules.ts';

const MOST_KEYS = 20;
const LONGEST = 64 * 1024;

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
  pem_keys: names('Public keys or certificates with which the cluster signs tokens, in PEM.'),
  issuer: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The issuer (iss) that tokens must name.' }),
  ),
  disable_iss_validation: flag('The issuer is not asked, even if one is set.'),
  disable_local_ca_jwt: flag("The worker's own service account is not used."),
  use_annotations_as_alias_metadata: Type.Optional(Type.Unknown({ description: 'Accepted, but not used.' })),
  validation: Type.Optional(
    Type.String({
      description: '`local`: the keys in pem_keys verify tokens.',
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
  validation: 'local',
};

/** How tokens of a cluster are verified. */
export const kubernetesConfigEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~kubernetes/config',
    access: 'policy',
    summary: 'Read how the tokens of a cluster are verified',
    answers: { 200: { data: kubernetesConfigAnswer } },
    handle: async (request) =>
      ok({
        ...EMPTY,
        ...(authMountOf(request).config as Partial<KubernetesConfig>),
        token_reviewer_jwt_set: false,
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/~kubernetes/config',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Say how the tokens of a cluster are verified; replaces the whole configuration',
    answers: { 204: {} },
    body: kubernetesConfigBody,
    exists: async (request) => Object.keys(authMountOf(request).config).length > 0,
    handle: async (request) => {
      refuseSession(request);
      await write(request);
      return noContent();
    },
  }),
];

async function write(request: ApiRequest<Body>): Promise<void> {
  const { services, warn, note } = request;
  const { id, path, config: before } = authMountOf(request);
  const config = configOf(request.body);
  const keySet = { source: null, issuer: null, keys: keysOf(config) };
  note({ mount: path, changed: describeChanges(before, config) });
  if (config.validation === 'local' && (config.issuer === '' || config.disable_iss_validation))
    warn('without issuer, a token of any issuer counts that one of these keys has signed');
  await transact(services.db, async (transaction) => {
    if (!(await lockAuthMount(transaction, id))) throw badRequest(`No auth engine at ${path}/`);
    await updateAuthMount(transaction, id, { config });
    await replaceKeySet(transaction, id, keySet);
  });
}

function configOf(body: Body): KubernetesConfig {
  const given = Object.fromEntries(
    Object.entries(EMPTY).map(([name, empty]) => [name, body[name as keyof Body] ?? empty]),
  ) as KubernetesConfig;
  const config = { ...given, pem_keys: given.pem_keys.filter(Boolean) };
  if (config.pem_keys.length === 0)
    throw badRequest('pem_keys: give the public keys with which the cluster signs tokens');
  checkHost(config.kubernetes_host);
  checkCertificate(config.kubernetes_ca_cert);
  return config;
}

function checkHost(host: string): void {
  if (host === '') return;
  const { protocol = '', username, search, hash } = URL.canParse(host) ? new URL(host) : ({} as Partial<URL>);
  if (!/^https?:$/.test(protocol) || username || search || hash)
    throw badRequest('kubernetes_host must be the URL of an API server, such as https://10.0.0.1:6443');
}

function checkCertificate(pem: string): void {
  if (pem === '') return;
  try {
    void new X509Certificate(pem);
  } catch {
    throw badRequest('kubernetes_ca_cert: it is no certificate in PEM');
  }
}

function keysOf({ pem_keys: pems }: KubernetesConfig): JWK[] {
  if (pems.length > MOST_KEYS) throw badRequest(`pem_keys: at most ${MOST_KEYS} keys`);
  try {
    return pems.map(publicKeyOf);
  } catch (error) {
    throw badRequest(`pem_keys: ${(error as Error).message}`);
  }
}
