import type { DestinationIdentity } from '../../../../libs/connector/identity/destination-identity.ts';
import type { CheckStep, ConnectorError } from '../../../../libs/connector/errors.ts';
import { defineFailures, type StoreAnswer } from '../../../../libs/connector/http/failures.ts';
import { trustFailure } from '../../../../libs/connector/identity/identity.ts';

// What Google says while it does not know a pool, a provider or a right on the service account.
const TRUST = new Set(['invalid_target', 'unauthorized_client', 'PERMISSION_DENIED', 'NOT_FOUND']);
const TOKEN = 'invalid_grant';

/** Not a code of Google's: its code is that of any refused token, and its words alone tell that it is this. */
export const ISSUER_UNREACHABLE = 'issuer unreachable';

/** What each refusal of a token means; `codes` are the words of the token service, and Google's canonical codes. */
export const signInFailures = defineFailures({
  store: 'Google Cloud',
  setting: 'GOOGLE_STS_URL',
  limitWaitMs: 1000,
  scope: 'destination',
  rows: [
    {
      codes: ['invalid_target'],
      code: 'trust_refused',
      message:
        'Google knows no such workload identity provider, or it is disabled: check identity_token_audience and workload_identity_provider.',
    },
    {
      codes: ['unauthorized_client'],
      code: 'trust_refused',
      message:
        'The workload identity provider refuses the destination: check its attribute mapping and its condition.',
    },
    {
      codes: [ISSUER_UNREACHABLE],
      code: 'issuer_unreachable',
      message:
        'Google could not fetch the documents of the issuer: make ISSUER_URL reachable from the internet over https, and check the issuer of the workload identity provider.',
    },
    {
      codes: [TOKEN],
      code: 'trust_refused',
      message:
        'Google refused the identity token: check issuer and audience of the workload identity provider, and that Google can read the documents of the issuer (ISSUER_URL).',
    },
    {
      codes: ['SERVICE_DISABLED'],
      code: 'account_inactive',
      message:
        'An API is not enabled in the project: enable iamcredentials.googleapis.com and sts.googleapis.com.',
    },
    {
      codes: ['PERMISSION_DENIED', 'NOT_FOUND'],
      code: 'trust_refused',
      message:
        'The service account does not exist, or the destination may not use it: grant roles/iam.workloadIdentityUser on it to the principal of the destination.',
    },
    { codes: ['RESOURCE_EXHAUSTED'], code: 'rate_limited' },
    { codes: ['UNAVAILABLE', 'temporarily_unavailable'], code: 'store_unavailable' },
    { codes: ['INTERNAL', 'server_error'], code: 'store_failed' },
    {
      codes: ['invalid_request', 'INVALID_ARGUMENT'],
      code: 'configuration_invalid',
      message:
        'Google refused the sign-in as invalid: check identity_token_audience, workload_identity_provider and service_account_email.',
    },
  ],
});

/** Whether Google refuses the identity token itself, so that another one may be taken. */
export function isTokenRefused({ codes = [] }: StoreAnswer): boolean {
  return codes.includes(TOKEN);
}

/** What a refused sign-in means; `step`: where Google refused it, if not at the exchange. */
export function describeSignIn(
  answer: StoreAnswer,
  identity: DestinationIdentity,
  { step }: { step?: CheckStep } = {},
): ConnectorError {
  const failure = signInFailures.describeAnswer(answer);
  if (failure.code !== 'trust_refused') return failure;
  const { message } = failure;
  const isTrust = answer.codes?.some((code) => TRUST.has(code)) === true;
  return trustFailure(signInFailures, identity, { message, step, mayLack: [isTrust ? 'trust' : 'key'] });
}
