import { defineFailures } from '../../../libs/connector/http/failures.ts';

const REFUSED: [number, number] = [400, 499];

// The key that signed the token is unknown, or its signature or its time is wrong.
const WRONG_TOKEN = ['700027', '700024'];
const UNTRUSTED = ['70021', '700211', '700212', '700213', '70025', '700016'];

/** Numbers of refusals of an identity token that another token may end. */
export const TOKEN_REFUSED = new Set(WRONG_TOKEN.map(Number));

/** Numbers of refusals that a trust gives while the directory does not know it, or our newest key. */
export const TRUST = new Set([...UNTRUSTED, '700027'].map(Number));

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
      codes: ['70021', '70025'],
      code: 'trust_refused',
      message:
        'The application trusts no identity token of this destination: add a federated credential with its issuer, subject and audience.',
    },
    {
      status: REFUSED,
      codes: ['700211'],
      code: 'trust_refused',
      message:
        'No federated credential of the application has the issuer of this destination, to the letter.',
    },
    {
      status: REFUSED,
      codes: ['700212'],
      code: 'trust_refused',
      message: 'No federated credential of the application has the audience: check identity_token_audience.',
    },
    {
      status: REFUSED,
      codes: ['700213'],
      code: 'trust_refused',
      message:
        'No federated credential of the application has both the issuer and the subject of this destination, to the letter.',
    },
    {
      status: REFUSED,
      codes: ['700027'],
      code: 'trust_refused',
      message:
        'The key of the identity token is unknown to Microsoft Entra ID: it must be able to read the documents of the issuer (ISSUER_URL).',
    },
    { status: REFUSED, codes: ['50166', '501661', '90061'], code: 'issuer_unreachable' },
    {
      status: REFUSED,
      codes: ['700024'],
      code: 'store_failed',
      message:
        'The identity token is not valid at this time; the next attempt has a new one. Check the clock of this machine if this lasts.',
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
      message:
        'The sign-in was refused: check client_id, tenant_id and, with a stored secret, client_secret.',
    },
    { status: [500, 599], code: 'store_unavailable' },
  ],
});
