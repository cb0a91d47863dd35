import type { SignInMode } from '../../../libs/connector/identity/destination-identity.ts';

const CREDENTIAL = `{
  "name": "sealift",
  "issuer": "{iss}",
  "subject": "{sub}",
  "audiences": ["{aud}"]
}`;

const RIGHTS = 'Give it the role Key Vault Secrets Officer on the vault.';

/** How a destination of Azure signs in. */
export const modes: SignInMode[] = [
  {
    mode: 'static',
    title: 'Client secret',
    fields: ['client_secret'],
    required: ['client_secret'],
    steps: [],
  },
  {
    mode: 'federated',
    title: 'Identity tokens (nothing is stored)',
    fields: ['identity_token_audience', 'identity_token_ttl', 'identity_token_key'],
    required: ['identity_token_audience'],
    usual: { identity_token_audience: 'api://AzureADTokenExchange' },
    steps: [
      {
        text: 'Save this as federated-credential.json. In Azure China the audience ends in ExchangeChina, in Azure US Government in ExchangeUSGov.',
        code: CREDENTIAL,
      },
      {
        text: 'Add it to the app registration.',
        code: 'az ad app federated-credential create --id {client_id} --parameters @federated-credential.json',
      },
      { text: RIGHTS },
    ],
  },
  {
    mode: 'ambient',
    title: 'Managed or workload identity of the worker',
    fields: [],
    required: [],
    steps: [
      {
        text: 'Assign the managed identity with this client ID to the machine of the worker, or, on Kubernetes, set up a workload identity for its service account.',
      },
      { text: RIGHTS },
    ],
  },
];
