import { defineFailures } from '../../../libs/connector/http/failures.ts';

const REFUSED: [number, number] = [400, 499];

/** What each refusal to issue a token means; `codes` are the numbers (`AADSTS…`) and the words (`error`) of the answer. */
export const authorityFailures = defineFailures({
  store: 'Microsoft Entra ID',
  setting: 'SEALIFT_AZURE_AUTHORITY_HOST',
  limitWaitMs: 1000,
  scope: 'destination',
  rows: [
    {
      status: REFUSED,
      codes: ['7000215'],
      code: 'credentials_refused',
      message: 'The client_secret is wrong: set the value of a client secret, not its id.',
    },
    {
      status: REFUSED,
      codes: ['7000222'],
      code: 'credentials_refused',
      message: 'The client_secret has expired: create a new one and set it.',
    },
    {
      status: REFUSED,
      codes: ['700016'],
      code: 'credentials_refused',
      message: 'The tenant does not know the application: check client_id and tenant_id.',
    },
    {
      status: REFUSED,
      codes: ['7000112'],
      code: 'account_inactive',
      message: 'The application is disabled in the tenant: enable it.',
    },
    {
      status: REFUSED,
      codes: ['90002', '900021', '900023'],
      code: 'credentials_refused',
      message: 'The tenant is unknown: check tenant_id and cloud.',
    },
    {
      status: REFUSED,
      codes: ['53003'],
      code: 'policy_refused',
      message: 'A conditional access policy of the tenant blocks the application: allow this machine.',
    },
    {
      // Temporary problems that come with a status of the 400s.
      status: REFUSED,
      codes: ['50033', '50087', '90006', '90024', '90033', 'temporarily_unavailable', 'server_error'],
      code: 'store_unavailable',
    },
    { status: 429, code: 'rate_limited' },
    {
      status: REFUSED,
      code: 'credentials_refused',
      message: 'The sign-in was refused: check client_id, client_secret and tenant_id.',
    },
    { status: [500, 599], code: 'store_unavailable' },
  ],
});
