import type { FailureRow } from '../../../../libs/connector/http/failures.ts';

/** What each service of AWS says if it refuses an access key, or what was signed with it. */
export const keyFailures: FailureRow<'credentials_refused'>[] = [
  {
    codes: [
      'InvalidClientTokenId',
      'UnrecognizedClientException',
      'MissingAuthenticationToken',
      'MissingAuthenticationTokenException',
    ],
    code: 'credentials_refused',
    message:
      'The access key is unknown, deactivated or deleted: set new values for access_key_id and secret_access_key.',
  },
  {
    codes: [
      'SignatureDoesNotMatch',
      'InvalidSignatureException',
      'IncompleteSignature',
      'IncompleteSignatureException',
    ],
    code: 'credentials_refused',
    message: 'The signature was refused: check the secret access key and the server’s clock.',
  },
];
