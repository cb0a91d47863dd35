import { randomUUID } from 'node:crypto';
import { toErrorReply, unrecognizedClient, VendorError } from '../aws-secrets-manager/vendor-error.ts';
import { verify } from '../aws-secrets-manager/signature.ts';
import {
  type FakeReply,
  type FakeRequest,
  readJson,
  type Refusal,
  startFake,
  type FakeOptions,
} from '../fake-server.ts';
import { accessKeys } from '../given-out.ts';
import { HOLDS_NOTHING, type KeyServiceFake, type KeyState } from './contract.ts';
import { createSymmetricKey } from './symmetric-key.ts';

const ACCESS_KEY = 'AKIATEST';
const REGION = 'eu-west-1';
const KEY_ID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const ARN = `arn:aws:kms:${REGION}:111122223333:key/${KEY_ID}`;
/** An alias of the key. */
export const AWS_ALIAS = `arn:aws:kms:${REGION}:111122223333:alias/sealift`;
const TARGET = 'TrentService.';
const MOST_PLAINTEXT = 4096;
const MOST_CIPHERTEXT = 6144;

const invalidCiphertext = () => new VendorError('InvalidCiphertextException', '');

function refuse({ kind, code, status }: Refusal): FakeReply {
  if (kind === 'revoked') return toErrorReply(unrecognizedClient(), randomUUID());
  const isThrottle = kind === 'throttle';
  const name = code ?? (isThrottle ? 'ThrottlingException' : 'KMSInternalException');
  const detail = 'Vendor detail that nobody may be shown';
  return toErrorReply(new VendorError(name, detail, status ?? (isThrottle ? 400 : 500)), randomUUID());
}

function bytesOf(value: unknown, name: string, most: number): Buffer {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (bytes.length > 0 && bytes.length <= most) return bytes;
  const range = `Member must have length between 1 and ${most}`;
  throw new VendorError('ValidationException', `Value at '${name}' failed to satisfy constraint: ${range}`);
}

// The order of the pairs does not matter.
function contextOf(value: unknown): Buffer {
  const pairs = Object.entries((value ?? {}) as Record<string, string>);
  return Buffer.from(JSON.stringify(pairs.toSorted(([left], [right]) => (left < right ? -1 : 1))));
}

/** AWS KMS with one symmetric key. A ciphertext contains the id of the key and of the key material that made it. */
export async function startAwsKmsFake(options: FakeOptions = {}): Promise<KeyServiceFake> {
  const key = createSymmetricKey();
  const unwrapped: string[] = [];
  let state: KeyState = 'enabled';
  let isAllowed = true;

  function requireKey(id: unknown, operation: string): void {
    if ((id !== ARN && id !== AWS_ALIAS) || state === 'gone')
      throw new VendorError('NotFoundException', `Key '${String(id)}' does not exist`);
    if (!isAllowed) {
      const message = `User: arn:aws:iam::111122223333:user/sealift is not authorized to perform: kms:${operation} on this resource`;
      throw new VendorError('AccessDeniedException', message);
    }
    if (state === 'disabled') throw new VendorError('DisabledException', `${ARN} is disabled.`);
    if (state === 'deleting')
      throw new VendorError('KMSInvalidStateException', `${ARN} is pending deletion.`);
  }

  function encrypt(plaintext: Buffer, context: unknown): Buffer {
    const head = Buffer.from(`${KEY_ID}${String(key.version()).padStart(4, '0')}`);
    return Buffer.concat([head, key.encrypt(plaintext, contextOf(context))]);
  }

  function decrypt(blob: Buffer, context: unknown): Buffer {
    const head = blob.subarray(0, 40).toString();
    if (!/^[\da-f-]{36}\d{4}$/.test(head)) throw invalidCiphertext();
    if (!head.startsWith(KEY_ID))
      throw new VendorError(
        'IncorrectKeyException',
        'The key ID in the request does not identify a CMK that can perform this operation.',
      );
    const plaintext = key.decrypt(blob.subarray(40), contextOf(context), Number(head.slice(36)));
    if (!plaintext) throw invalidCiphertext();
    unwrapped.push(plaintext.toString('base64'));
    return plaintext;
  }

  function answer(operation: string, request: FakeRequest): object {
    const input = readJson(request);
    requireKey(input['KeyId'], operation);
    const common = { KeyId: ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    if (operation === 'Encrypt') {
      const blob = encrypt(
        bytesOf(input['Plaintext'], 'plaintext', MOST_PLAINTEXT),
        input['EncryptionContext'],
      );
      return { ...common, CiphertextBlob: blob.toString('base64') };
    }
    if (operation !== 'Decrypt') throw new VendorError('UnknownOperationException', 'Unknown operation');
    const blob = bytesOf(input['CiphertextBlob'], 'ciphertextBlob', MOST_CIPHERTEXT);
    return { ...common, Plaintext: decrypt(blob, input['EncryptionContext']).toString('base64') };
  }

  const fake = await startFake(
    {
      type: 'aws-kms',
      identify(request) {
        const target = String(request.headers['x-amz-target'] ?? '');
        return {
          operation: target.startsWith(TARGET) ? target.slice(TARGET.length) : 'unknown',
          target: null,
        };
      },
      async handle(request, call) {
        const requestId = randomUUID();
        try {
          const secretOf = (id: string) => (call.isAccepted(id) ? accessKeys[id] : undefined);
          const { region } = await verify(request, { secretOf, now: Date.now(), service: 'kms' });
          if (region !== REGION) throw new VendorError('NotFoundException', `Invalid arn ${REGION}`);
          const body = answer(call.operation, request);
          return {
            status: 200,
            headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': requestId },
            body,
          };
        } catch (error) {
          if (error instanceof VendorError) return toErrorReply(error, requestId);
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
    address: `aws-kms://${ARN}`,
    environment: {
      AWS_ENDPOINT_URL_KMS: fake.url,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: accessKeys[ACCESS_KEY] ?? '',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
    withoutCredentials: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
    credentials: [accessKeys[ACCESS_KEY] ?? ''],
    operations: ['Encrypt', 'Decrypt'],
    setState: (next) => (state = next),
    setAllowed: (allowed) => (isAllowed = allowed),
    rotate: key.rotate,
    wrapForOthers: (bytes) => `aws-kms://${ARN}#${encrypt(bytes, {}).toString('base64url')}`,
    unwrapped: () => unwrapped,
  };
}
