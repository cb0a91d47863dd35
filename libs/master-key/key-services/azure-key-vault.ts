import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline';
import { DefaultAzureCredential } from '@azure/identity';
import { CryptographyClient } from '@azure/keyvault-keys';
import { readEnvironment } from '../../config/config.ts';
import { KeyServiceError, reasonOfStatus, type Reason } from './failure.ts';
import { BINDING_TEXT, type KeyService } from './key-service.ts';

const ALGORITHM = 'RSA-OAEP-256';
const MICROSOFT_HOST = /\.(?:azure\.net|azure\.cn|usgovcloudapi\.net|microsoftazure\.de)$/;
// RSA cannot authenticate additional data, so the binding is part of the plaintext.
const PREFIX = Buffer.from(BINDING_TEXT);

const NO_CREDENTIALS = new Set(['CredentialUnavailableError', 'AggregateAuthenticationError']);

const REASONS: Record<string, Reason> = {
  TypeError: 'unexpected',
  SyntaxError: 'unexpected',
  AuthenticationError: 'credentials_refused',
  KeyDisabled: 'disabled',
  KeyNotYetValid: 'disabled',
  KeyExpired: 'disabled',
};

/**
 * An RSA key of Azure Key Vault or a managed HSM, `{host}/keys/{name}/{version}`; credentials come from Azure's default
 * chain.
 */
export function openAzureKey(key: string): KeyService {
  const url = `https://${key}`;
  const wire = watchWire();
  const once = { httpClient: wire, retryOptions: { maxRetries: 0 }, redirectOptions: { maxRetries: 0 } };
  const credential = new DefaultAzureCredential({
    ...once,
    // The instance directory lists only Microsoft's own authorities.
    disableInstanceDiscovery: readEnvironment('AZURE_AUTHORITY_HOST') !== undefined,
  });
  const client = new CryptographyClient(url, credential, {
    ...once,
    disableChallengeResourceVerification: !MICROSOFT_HOST.test(new URL(url).hostname),
  });

  const call = async <Result>(right: 'wrapKey' | 'unwrapKey', made: Promise<Result>): Promise<Result> => {
    try {
      return await made;
    } catch (error) {
      throw describe(error, right, wire.passing());
    }
  };
  return {
    async wrap(masterKey, abortSignal) {
      const plaintext = Buffer.concat([PREFIX, masterKey]);
      const { result, keyID } = await call('wrapKey', client.wrapKey(ALGORITHM, plaintext, { abortSignal }));
      // Only the version that wrapped a key can unwrap it.
      const versioned = keyID?.replace(/^https:\/\//, '') ?? key;
      return { ciphertext: read(result).toString('base64url'), key: versioned };
    },
    async unwrap(ciphertext, abortSignal) {
      const given = Buffer.from(ciphertext, 'base64url');
      const { result } = await call('unwrapKey', client.unwrapKey(ALGORITHM, given, { abortSignal }));
      const plaintext = read(result);
      if (!plaintext.subarray(0, PREFIX.length).equals(PREFIX)) throw new KeyServiceError('not_ours');
      return plaintext.subarray(PREFIX.length);
    },
    close: () => undefined,
  };
}

type Failure = {
  name?: string;
  code?: string;
  statusCode?: number;
  details?: { error?: { innerError?: { code?: string } } };
};

function describe(
  error: unknown,
  right: 'wrapKey' | 'unwrapKey',
  passing: Reason | undefined,
): KeyServiceError {
  const { name = '', code = '', statusCode, details } = error as Failure;
  const inner = details?.error?.innerError?.code ?? '';
  if (NO_CREDENTIALS.has(name)) return new KeyServiceError('credentials_missing');
  if (passing) return new KeyServiceError(passing, { code: inner || code });
  const known = [inner, name].map((one) => (Object.hasOwn(REASONS, one) ? REASONS[one] : undefined));
  const refused = right === 'unwrapKey' ? 'not_ours' : 'unsuitable';
  const ofStatus = statusCode === 400 ? refused : reasonOfStatus(statusCode);
  // Without a code the library itself refuses: the key does not allow this operation.
  const other = statusCode === undefined && code === '' ? 'unsuitable' : ofStatus;
  return new KeyServiceError(known.find(Boolean) ?? other, { code: inner || code, right });
}

// The library does not check whether the answer has the field.
function read(bytes: Uint8Array | undefined): Buffer {
  if (!bytes) throw new KeyServiceError('unexpected');
  return Buffer.from(bytes);
}

// The libraries do not distinguish failures to sign in, and do not show answers that they cannot parse. `passing`: why
// the latest call failed, if that may pass by itself.
function watchWire(): HttpClient & { passing: () => Reason | undefined } {
  const inner = createDefaultHttpClient();
  let passing: Reason | undefined;
  return {
    passing: () => passing,
    async sendRequest(request) {
      passing = 'unreachable';
      const answer = await inner.sendRequest(request);
      passing = reasonOfStatus(answer.status) === 'busy' ? 'busy' : undefined;
      return answer;
    },
  };
}
