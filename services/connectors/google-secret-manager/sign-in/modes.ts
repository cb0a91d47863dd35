import type { SignInMode } from '../../../../libs/connector/identity/destination-identity.ts';

const POOL = `gcloud iam workload-identity-pools create sealift --location global
gcloud iam workload-identity-pools providers create-oidc sealift --location global \\
  --workload-identity-pool sealift --issuer-uri {iss} \\
  --attribute-mapping google.subject=assertion.sub`;

const BINDING = `gcloud iam service-accounts add-iam-policy-binding {service_account_email} \\
  --role roles/iam.workloadIdentityUser \\
  --member "principal://iam.googleapis.com/projects/PROJECT_NUMBER/locations/global/workloadIdentityPools/sealift/subject/{sub}"`;

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
        text: 'Let the principal of this destination use a service account that may write secrets. With direct access, give the principal itself the right to write secrets.',
        code: BINDING,
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
