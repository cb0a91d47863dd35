/** The tenant of the vaults, and another one that the sign-in service knows. */
export const TENANT = '11111111-2222-4333-8444-555555555555';
export const OTHER_TENANT = '99999999-2222-4333-8444-555555555555';

/** A tenant of the sign-in service, by its id; `domain` is its other name. Secrets are listed by application id. */
export type Tenant = { id: string; domain: string; applications: Record<string, string[]> };

// All credentials of the stand-ins' vendors. They refuse any other credential, except those that a fake issues itself.

/** AWS: the secret of each access key id. */
export const accessKeys: Record<string, string> = {
  AKIATEST: 'wJalr-secret',
  AKIAEXAMPLEONE: 'a-secret-key',
  AKIAEXAMPLETWO: 'another-secret-key',
  AKIASECOND: 'second',
  AKIARENEWED: 'renewed',
  AKIAROTATED: 'rotated',
  AKIAELSEWHERE: 'elsewhere',
  AKIAAMBIENT: 'ambient',
  AKIADEMO0000000000: 'demo-secret-access-key',
};

/** Azure. */
export const tenants: Tenant[] = [
  {
    id: TENANT,
    domain: 'acme.onmicrosoft.com',
    applications: { application: ['client~secret', 'a-client-secret', 'another-client-secret'] },
  },
  {
    id: OTHER_TENANT,
    domain: 'other.onmicrosoft.com',
    applications: { 'application-elsewhere': ['secret-elsewhere'] },
  },
];

/** GitHub: tokens with every right on every repository. */
export const repositoryTokens = ['ghp_valid', 'ghp_renewed', 'ghp_one'];

/** Vercel: tokens with every right on every project of every team. */
export const hostingTokens = ['vcp_valid', 'vcp_renewed', 'vcp_token-of-the-tests'];
