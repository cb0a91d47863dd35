import { randomBytes, randomUUID } from 'node:crypto';
import {
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  readJson,
  type Refusal,
  startFake,
} from '../fake-server.ts';
import {
  denied,
  invalid,
  namedError,
  toErrorReply,
  unauthenticated,
  VendorError,
} from '../google-secret-manager/vendor-error.ts';
import { HOLDS_NOTHING, type KeyServiceFake, type KeyState } from './contract.ts';
import { createSymmetricKey } from './symmetric-key.ts';

const KEY = 'projects/sealift-test/locations/europe-west1/keyRings/sealift/cryptoKeys/master-key';
const METADATA = '/computeMetadata/v1';
const TOKEN_PATH = `${METADATA}/instance/service-accounts/default/token`;
const UNIVERSE_PATH = `${METADATA}/universe/universe-domain`;
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const FLAVOR = { 'metadata-flavor': 'Google' };
const MOST_PLAINTEXT = 64 * 1024;
const VERBS: Record<string, string> = { ':encrypt': 'Encrypt', ':decrypt': 'Decrypt' };

function refuse({ kind, code, status }: Refusal): FakeReply {
  if (kind === 'revoked') return toErrorReply(unauthenticated('It was revoked.'), randomUUID());
  const error = namedError(code ?? (kind === 'throttle' ? 'RESOURCE_EXHAUSTED' : 'INTERNAL'));
  return toErrorReply(error, randomUUID(), status);
}

function identify({ method, path }: FakeRequest): { operation: string; target: string | null } {
  if (path.startsWith(METADATA)) return { operation: 'Metadata', target: null };
  const verb = VERBS[/:\w+$/.exec(path)?.[0] ?? ''];
  return { operation: method === 'POST' && verb ? verb : 'unknown', target: null };
}

function bytesOf(value: unknown, name: string, least = 1): Buffer {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (bytes.length >= least && bytes.length <= MOST_PLAINTEXT) return bytes;
  throw invalid(`The request has an invalid ${name}.`);
}

/** Google Cloud KMS over REST with one symmetric key, and the machine's metadata service, which issues access tokens. */
export async function startGoogleKmsFake(options: FakeOptions = {}): Promise<KeyServiceFake> {
  const key = createSymmetricKey();
  const token = `ya29.${randomBytes(24).toString('base64url')}`;
  const unwrapped: string[] = [];
  let state: KeyState = 'enabled';
  let isAllowed = true;

  // The metadata service answers only callers with the Metadata-Flavor header.
  function giveToken({ path, query, headers }: FakeRequest): FakeReply {
    if (headers['metadata-flavor'] !== 'Google') return { status: 403 };
    if (path === UNIVERSE_PATH) return { status: 200, headers: FLAVOR, body: 'googleapis.com' };
    if (path !== TOKEN_PATH) return { status: path === `${METADATA}/instance` ? 200 : 404, headers: FLAVOR };
    if (query.get('scopes') !== SCOPE) return { status: 400, headers: FLAVOR };
    const body = { access_token: token, expires_in: 3599, token_type: 'Bearer' };
    return { status: 200, headers: FLAVOR, body };
  }

  function encrypt(plaintext: Buffer, associated: Buffer): Buffer {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(key.version());
    return Buffer.concat([head, key.encrypt(plaintext, associated)]);
  }

  function decrypt(blob: Buffer, associated: Buffer): Buffer {
    const plaintext = blob.length > 2 ? key.decrypt(blob.subarray(2), associated, blob.readUInt16BE()) : null;
    if (!plaintext) throw invalid("Decryption failed: verify that 'name' refers to the correct CryptoKey.");
    unwrapped.push(plaintext.toString('base64'));
    return plaintext;
  }

  function answer(operation: string, request: FakeRequest): object {
    if (request.headers.authorization !== `Bearer ${token}`)
      throw unauthenticated('Expected OAuth 2 access token.');
    if (!isAllowed) throw denied(`cloudkms.cryptoKeyVersions.useTo${operation}`, KEY);
    if (request.path !== `/v1/${KEY}:${operation.toLowerCase()}` || state === 'gone')
      throw new VendorError('NOT_FOUND', `CryptoKey ${KEY} not found.`);
    if (state !== 'enabled')
      throw new VendorError(
        'FAILED_PRECONDITION',
        `${KEY}/cryptoKeyVersions/1 is not enabled, current state is: ${state}.`,
      );
    const input = readJson(request);
    const associated = bytesOf(input['additionalAuthenticatedData'] ?? '', 'additionalAuthenticatedData', 0);
    if (operation === 'Decrypt')
      return {
        plaintext: decrypt(bytesOf(input['ciphertext'], 'ciphertext'), associated).toString('base64'),
      };
    const ciphertext = encrypt(bytesOf(input['plaintext'], 'plaintext'), associated).toString('base64');
    return { name: `${KEY}/cryptoKeyVersions/${key.version()}`, ciphertext };
  }

  const fake = await startFake(
    {
      type: 'google-kms',
      identify,
      handle(request, { operation }) {
        if (operation === 'Metadata') return giveToken(request);
        try {
          if (operation === 'unknown') throw new VendorError('UNIMPLEMENTED', 'Method not found.');
          return { status: 200, body: answer(operation, request) };
        } catch (error) {
          if (error instanceof VendorError) return toErrorReply(error, randomUUID());
          throw error;
        }
      },
      refuse,
      ...HOLDS_NOTHING,
      reset() {
        state = 'enabled';
        isAllowed = true;
      },
    },
    options,
  );
  return {
    ...fake,
    address: `google-kms://${KEY}`,
    environment: {
      SEALIFT_GOOGLE_KMS_URL: fake.url,
      GCE_METADATA_HOST: new URL(fake.url).host,
      METADATA_SERVER_DETECTION: 'assume-present',
    },
    withoutCredentials: { METADATA_SERVER_DETECTION: 'none' },
    credentials: [token],
    operations: ['Encrypt', 'Decrypt'],
    setState: (next) => (state = next),
    setAllowed: (allowed) => (isAllowed = allowed),
    rotate: key.rotate,
    wrapForOthers: (bytes) => `google-kms://${KEY}#${encrypt(bytes, Buffer.alloc(0)).toString('base64url')}`,
    unwrapped: () => unwrapped,
  };
}
