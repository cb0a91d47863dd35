import { GoogleAuth } from 'google-auth-library';
import type { KeyServiceConfig } from '../../config/key-service.ts';
import { KeyServiceError, reasonOfStatus, type Reason } from './failure.ts';
import { bytesOf, postJson, requireAddress, type KeyServiceAnswer } from './http.ts';
import { BINDING_TEXT, type KeyService } from './key-service.ts';

const USUAL_URL = 'https://cloudkms.googleapis.com';
const BINDING = Buffer.from(BINDING_TEXT).toString('base64');
const SCOPES = ['https://www.googleapis.com/auth/cloudkms'];
const RIGHTS = {
  encrypt: 'cloudkms.cryptoKeyVersions.useToEncrypt',
  decrypt: 'cloudkms.cryptoKeyVersions.useToDecrypt',
};

// By the error's `status`. Google does not distinguish a wrong binding, other bytes and another key.
const REASONS: Record<string, Reason> = {
  NOT_FOUND: 'not_found',
  FAILED_PRECONDITION: 'disabled',
  INVALID_ARGUMENT: 'not_ours',
};

/** A symmetric key of Google Cloud KMS over REST; credentials are Google's application default credentials. */
export function openGoogleKey(name: string, config: KeyServiceConfig): KeyService {
  // Without `projectId` the library would ask `gcloud` and others for a project that nothing here needs.
  const auth = new GoogleAuth({ scopes: SCOPES, projectId: name.split('/')[1] ?? '' });
  const address = requireAddress('SEALIFT_GOOGLE_KMS_URL', config.SEALIFT_GOOGLE_KMS_URL || USUAL_URL);

  async function call(
    verb: 'encrypt' | 'decrypt',
    given: object,
    signal: AbortSignal,
  ): Promise<KeyServiceAnswer['body']> {
    const headers = await signIn(auth);
    const sent = { ...given, additionalAuthenticatedData: BINDING };
    const { status, body } = await postJson(`${address}/v1/${name}:${verb}`, sent, { headers, signal });
    if (status === 200) return body;
    const { status: code = '' } = (body['error'] ?? {}) as { status?: string };
    const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
    throw new KeyServiceError(known ?? reasonOfStatus(status), {
      code: code || String(status),
      right: RIGHTS[verb],
    });
  }

  return {
    async wrap(masterKey, signal) {
      const { ciphertext } = await call('encrypt', { plaintext: masterKey.toString('base64') }, signal);
      return { ciphertext: bytesOf(ciphertext).toString('base64url') };
    },
    async unwrap(ciphertext, signal) {
      const given = Buffer.from(ciphertext, 'base64url').toString('base64');
      return bytesOf((await call('decrypt', { ciphertext: given }, signal))['plaintext']);
    },
    close: () => undefined,
  };
}

// If the library throws without a code, it found no credentials. All other errors come from a token service or the
// machine's metadata.
async function signIn(auth: GoogleAuth): Promise<Record<string, string>> {
  try {
    return Object.fromEntries(await auth.getRequestHeaders());
  } catch (error) {
    const { status, code } = error as { status?: number; code?: string | number };
    if (status === undefined && code === undefined) throw new KeyServiceError('credentials_missing');
    const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 429;
    const reason = isRefused ? 'credentials_refused' : reasonOfStatus(status);
    throw new KeyServiceError(reason, { code: String(code ?? status) });
  }
}
