import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { KeyServiceError, reasonOfStatus, type Reason } from './failure.ts';
import { BINDING, type KeyService } from './key-service.ts';

const REASONS: Record<string, Reason> = {
  CredentialsProviderError: 'credentials_missing',
  ProviderError: 'credentials_missing',
  TokenProviderError: 'credentials_missing',
  AccessDeniedException: 'denied',
  UnrecognizedClientException: 'credentials_refused',
  InvalidClientTokenId: 'credentials_refused',
  InvalidSignatureException: 'credentials_refused',
  IncompleteSignatureException: 'credentials_refused',
  MissingAuthenticationTokenException: 'credentials_refused',
  ExpiredTokenException: 'credentials_refused',
  OptInRequired: 'credentials_refused',
  NotFoundException: 'not_found',
  InvalidArnException: 'not_found',
  DisabledException: 'disabled',
  KMSInvalidStateException: 'disabled',
  InvalidCiphertextException: 'not_ours',
  IncorrectKeyException: 'not_ours',
  InvalidKeyUsageException: 'unsuitable',
  ThrottlingException: 'busy',
  RequestLimitExceeded: 'busy',
  KeyUnavailableException: 'busy',
  DependencyTimeoutException: 'busy',
};

/**
 * A symmetric key of AWS KMS. The ARN gives the region; credentials come from AWS' default chain. The caller does the
 * retries.
 */
export function openAwsKey(arn: string): KeyService {
  const region = arn.split(':')[3] ?? '';
  const client = new KMSClient({ region, maxAttempts: 1 });
  const target = { KeyId: arn, EncryptionContext: BINDING };
  return {
    async wrap(masterKey, abortSignal) {
      const call = client.send(new EncryptCommand({ ...target, Plaintext: masterKey }), { abortSignal });
      const { CiphertextBlob, KeyId } = await call.catch((error: unknown) => fail(error, 'kms:Encrypt'));
      // For an alias this is the id of its key, which stays valid when the alias points to another key.
      return { ciphertext: Buffer.from(CiphertextBlob ?? []).toString('base64url'), key: KeyId ?? arn };
    },
    async unwrap(ciphertext, abortSignal) {
      const CiphertextBlob = Buffer.from(ciphertext, 'base64url');
      const call = client.send(new DecryptCommand({ ...target, CiphertextBlob }), { abortSignal });
      const { Plaintext } = await call.catch((error: unknown) => fail(error, 'kms:Decrypt'));
      return Buffer.from(Plaintext ?? []);
    },
    close: () => client.destroy(),
  };
}

function fail(error: unknown, right: string): never {
  const {
    name = '',
    code,
    $metadata,
  } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const known = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  const reason = known ?? reasonOfStatus(status);
  throw new KeyServiceError(reason, { code: code ?? name, right });
}
