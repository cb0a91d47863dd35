import type { Example } from '../../example.ts';
import { ends, gives } from '../build.ts';
import { tokenRules } from './jwt-method.ts';

const PUBLIC_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----';
const shop = { params: { name: 'shop' } };

const config = {
  kubernetes_host: 'https://10.0.0.1:6443',
  kubernetes_ca_cert: '',
  pem_keys: [PUBLIC_KEY],
  issuer: 'https://kubernetes.default.svc.cluster.local',
  disable_iss_validation: false,
  disable_local_ca_jwt: false,
  use_annotations_as_alias_metadata: false,
  validation: 'local',
  token_reviewer_jwt_set: false,
};
const kubernetesRole = {
  bound_service_account_names: ['api'],
  bound_service_account_namespaces: ['shop', 'shop-*'],
  bound_service_account_namespace_selector: '',
  audience: 'sealift',
  alias_name_source: 'serviceaccount_uid',
  ...tokenRules,
};

/** Kubernetes at its usual path. */
export const kubernetesExamples: Example[] = [
  ends('POST /sys/auth/*path', 'Kubernetes', {
    params: { path: 'kubernetes' },
    body: { type: 'kubernetes' },
  }),
  gives(
    'POST /~kubernetes/config/check',
    'Nothing listens there',
    {
      reachable: false,
      fault: 'the API server of the cluster cannot be reached (ECONNREFUSED)',
      field: 'kubernetes_host',
    },
    { body: { kubernetes_host: 'https://127.0.0.1:9' } },
  ),
  ends('POST /~kubernetes/config', 'A cluster whose public key you have', {
    body: { pem_keys: [PUBLIC_KEY], issuer: config.issuer, kubernetes_host: config.kubernetes_host },
  }),
  gives('GET /~kubernetes/config', 'Read it', config),
  ends('POST /~kubernetes/role/:name', 'A role for the pods of a service account', {
    ...shop,
    body: {
      bound_service_account_names: ['api'],
      bound_service_account_namespaces: ['shop', 'shop-*'],
      audience: 'sealift',
      token_policies: ['app-reader'],
      token_ttl: '15m',
      token_max_ttl: '1h',
    },
  }),
  gives('GET /~kubernetes/role/:name', 'Read it', kubernetesRole, shop),
  ends('POST /~kubernetes/role/:name', 'A role for all namespaces with a label', {
    params: { name: 'team' },
    body: {
      bound_service_account_names: ['api'],
      bound_service_account_namespace_selector: { matchLabels: { team: 'shop' } },
      audience: 'sealift',
      token_policies: ['app-reader'],
    },
  }),
  gives('LIST /~kubernetes/role', 'List them', { keys: ['shop', 'team'] }),
  ends('DELETE /~kubernetes/role/:name', 'Delete it', shop),
  ends('DELETE /sys/auth/*path', 'Disable Kubernetes', { params: { path: 'kubernetes' } }),
];
