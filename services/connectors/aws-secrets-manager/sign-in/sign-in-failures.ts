import type { DestinationIdentity } from '../../../../libs/connector/identity/destination-identity.ts';
import { ConnectorError } from '../../../../libs/connector/errors.ts';
import { defineFailures } from '../../../../libs/connector/http/failures.ts';
import { headersOf } from '../../../../libs/connector/http/headers.ts';
import { trustFailure } from '../../../../libs/connector/identity/identity.ts';
import type { SdkError } from '../failures.ts';
import { keyFailures } from './key-failures.ts';

// What AWS says while it does not know the trust of a role, or the provider and its keys.
const TRUST = [
  'AccessDenied',
  'AccessDeniedException',
  'InvalidIdentityToken',
  'InvalidIdentityTokenException',
];
const TOKEN = ['InvalidIdentityToken', 'InvalidIdentityTokenException'];
const EXPIRED = ['ExpiredToken', 'ExpiredTokenException'];

/** What each refusal to assume a role means; `codes` are the names of the SDK's errors. */
export const signInFailures = defineFailures({
  store: 'AWS STS',
  setting: 'region',
  limitWaitMs: 1000,
  scope: 'destination',
  rows: [
    {
      codes: ['IDPRejectedClaim', 'IDPRejectedClaimException'],
      code: 'trust_refused',
      message: 'AWS STS refused a claim of the identity token: check the audience of the identity provider.',
    },
    { codes: ['IDPCommunicationError', 'IDPCommunicationErrorException'], code: 'issuer_unreachable' },
    {
      codes: EXPIRED,
      code: 'store_failed',
      message:
        'AWS STS takes the token as expired; the next attempt has a new one. Check the clock of this machine if this lasts.',
    },
    {
      codes: ['RegionDisabledException'],
      code: 'account_inactive',
      message: 'AWS STS is off in this region for the account: activate it, or correct region.',
    },
    {
      codes: ['ValidationError', 'ValidationException'],
      code: 'configuration_invalid',
      message: '{operation} was refused as invalid: check role_arn, external_id and identity_token_audience.',
    },
    ...keyFailures,
    { codes: ['Throttling', 'ThrottlingException', 'RequestLimitExceeded'], code: 'rate_limited' },
    { codes: ['ServiceUnavailable', 'ServiceUnavailableException'], code: 'store_unavailable' },
    {
      codes: ['CredentialsProviderError', 'TokenProviderError'],
      code: 'credentials_missing',
      message:
        'No credentials were found to assume the role with: set access_key_id and secret_access_key, or identity_token_audience, or give the machine a role.',
    },
  ],
});

/** Whether AWS refuses the identity token itself, so that another one may be taken. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof Error && [...TOKEN, ...EXPIRED].includes(error.name);
}

const OWN_REFUSED = [
  ...TRUST,
  ...EXPIRED,
  'IDPRejectedClaim',
  'IDPRejectedClaimException',
  'IDPCommunicationError',
  'IDPCommunicationErrorException',
];

/** What a failed sign-in of the worker itself means; other errors are returned as they are. */
export function describeOwnSignIn(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !OWN_REFUSED.includes(thrown.name)) return thrown;
  return signInFailures.fail('credentials_refused', {
    message:
      "AWS STS refused the worker's own identity: check its role (AWS_ROLE_ARN), its token (AWS_WEB_IDENTITY_TOKEN_FILE), and the trust policy of that role.",
  });
}

/** What a failed sign-in means. An error that came neither from AWS nor from the network: AWS’ answer was none of its own. */
export function describeSignIn(thrown: unknown, identity: DestinationIdentity, operation: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ConnectorError) return thrown;
  const { name, $metadata: answer, $response: response } = thrown as SdkError;
  if (TRUST.includes(name)) {
    const hasToken = operation !== 'AssumeRole';
    const message = !hasToken
      ? 'AWS STS refused AssumeRole: check role_arn, external_id, and that the trust policy of the role names the identity of the destination.'
      : 'AWS STS refused the identity token: check role_arn, and compare issuer, audience and subject in its account and trust policy with those of the token.';
    const isKeyUnknown = TOKEN.includes(name);
    return trustFailure(signInFailures, identity, {
      message,
      hasToken,
      mayLack: isKeyUnknown ? ['trust', 'key'] : ['trust'],
      step: isKeyUnknown ? 'exchange' : 'role',
    });
  }
  const isKnown = signInFailures.rows.some(({ codes }) => codes?.includes(name));
  if (answer?.httpStatusCode === undefined && !isKnown)
    return signInFailures.describeTransport(thrown) ?? signInFailures.fail('unexpected_answer');
  return signInFailures.describeAnswer({
    status: answer?.httpStatusCode ?? 0,
    header: headersOf(response?.headers ?? {}),
    codes: [name],
    operation,
    words: { operation },
    said: { requestId: answer?.requestId },
  });
}
