import type { SignInMode } from '../../../libs/connector/identity/destination-identity.ts';

/** How a destination of GitHub signs in. */
export const modes: SignInMode[] = [
  {
    mode: 'static',
    title: 'Access token',
    fields: ['access_token'],
    required: ['access_token'],
    steps: [],
  },
  {
    mode: 'app',
    title: 'GitHub App',
    fields: ['app_name', 'installation_id'],
    required: ['app_name', 'installation_id'],
    steps: [
      {
        text: 'Create a GitHub App that may read and write secrets, and add its ID and private key to Sealift once, for all its destinations.',
      },
      {
        text: 'Install it for the repository or organization. The installation ID is the number at the end of the address of the page of the installation.',
      },
    ],
  },
];
