import type { SignInMode } from '../../../../libs/connector/identity/destination-identity.ts';

const POOL = `gcloud iam workload-identity-pools create sealift --location global
gcloud iam workload-identity-pools providers create-oidc sealift --location global \\
  --workload-identity-pool sealift --issuer-uri {iss} \\
  --attribute-mapping google.subject=assertion.sub`;

const PRINCIPAL =
  'principal://iam.googleapis.com/projects/PROJECT_NUMBER/locations/global/workloadIdentityPools/sealift/subject/{sub}';

const BINDING = `gcloud iam service-accounts add-iam-policy-binding {service_account_email} \\
  --role roles/iam.workloadIdentityUser \\
  --member "${PRINCIPAL}"`;

const GRANT = `gcloud projects add-iam-policy-binding {project_id} \\
  --role roles/secretmanager.admin \\
  --member "${PRINCIPAL}"`;

const PROVIDER =
  'https://iam.googleapis.com/projects/PROJECT_NUMBER/locations/global/workloadIdentityPools/sealift/providers/sealift';

/** How a destination of Google signs in. */
export const modes: SignInMode[] = [
  {
    mode: 'static',
    title: 'Service account key',
    fields: ['credentials'],
    required: ['credentials'],
    steps: [],
  },
  {
    mode: 'federated',
    title: 'Identity tokens (nothing is stored)',
    fields: [
      'identity_token_audience',
      'service_account_email',
      'direct_access',
      'workload_identity_provider',
      'identity_token_ttl',
      'identity_token_key',
    ],
    required: ['identity_token_audience'],
    usual: { identity_token_audience: PROVIDER },
    steps: [
      { text: 'Make a workload identity pool with a provider that trusts the issuer.', code: POOL },
      {
        unless: 'direct_access',
        text: 'Let the principal of this destination use a service account that may write secrets.',
        code: BINDING,
      },
      {
        when: 'direct_access',
        text: 'Give the principal of this destination itself the right to write secrets.',
        code: GRANT,
      },
      {
        text: 'The audience is the name of the provider. Put the number of your project in place of PROJECT_NUMBER.',
      },
    ],
  },
  {
    mode: 'ambient',
    title: 'The worker’s own identity',
    fields: [],
    required: [],
    steps: [
      {
        text: 'Give the machine of the worker a service account that may write secrets, or set GOOGLE_APPLICATION_CREDENTIALS for the connector.',
      },
    ],
  },
];
