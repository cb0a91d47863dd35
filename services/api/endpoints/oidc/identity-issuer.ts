import { issuerUrl } from '../../../../libs/config/config.ts';
import { tokenIssuer } from '../../../../libs/connector/identity/identity.ts';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { issuerDocumentOf } from '../../routing/issuer-documents.ts';
import { namespacePathFault } from '../../routing/namespace-path.ts';
import { publicKeys } from './signing-keys.ts';
import { discovery, discoveryAnswer, publicKeysAnswer, plainJson } from './well-known.ts';

const PATH = '/identity/oidc/secrets-sync/.well-known';

/**
 * Documents with which external stores verify the identity tokens of destinations. Each namespace is an issuer of its own,
 * whose path precedes these. They do not tell whether the namespace exists.
 */
export const identityIssuerEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/openid-configuration`,
    access: 'public',
    summary: 'Read the OpenID Connect discovery document of the issuer of identity tokens of destinations',
    answers: { 200: { body: discoveryAnswer } },
    handle: async (request) => {
      const issuer = issuerOf(request);
      const claims = ['sealift_namespace', 'sealift_destination'];
      return plainJson(discovery({ issuer, keys: `${issuer}/.well-known/keys`, claims }));
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/keys`,
    access: 'public',
    summary: 'Read the public keys that verify identity tokens of destinations',
    answers: { 200: { body: publicKeysAnswer } },
    handle: async (request) => {
      issuerOf(request);
      return plainJson({ keys: await publicKeys(request.services, request.requestId) });
    },
  }),
];

// Throws 404 for what cannot be a namespace.
function issuerOf({ path, header, services }: ApiRequest): string {
  const named = [
    header('x-namespace') || header('x-vault-namespace'),
    issuerDocumentOf(path)?.namespace ?? '',
  ];
  const namespace = named
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/');
  if (namespace !== '' && namespacePathFault(namespace) !== null) throw notFound();
  return tokenIssuer(issuerUrl(services.config), namespace);
}
