import {
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  readJson,
  type Refusal,
  startFake,
} from '../fake-server.ts';
import { HOLDS_NOTHING, type KeyServiceFake, type KeyState } from './contract.ts';
import { createSymmetricKey } from './symmetric-key.ts';

const TOKEN = 'hvs.token-of-the-tests';
const NAMESPACE = 'team';
const ROUTE = /^\/v1\/secrets\/transit\/(encrypt|decrypt)\/sealift$/;
const MOST_BODY = 32 * 1024 * 1024;

class VaultError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const toReply = ({ status, message }: VaultError): FakeReply => ({ status, body: { errors: [message] } });

function refuse({ kind, status }: Refusal): FakeReply {
  const detail = 'Vendor detail that nobody may be shown';
  if (kind === 'revoked') return toReply(new VaultError(403, 'permission denied'));
  return toReply(new VaultError(status ?? (kind === 'throttle' ? 429 : 503), detail));
}

// Accepts standard base64 only.
function decode(value: unknown, what: string): Buffer {
  const text = typeof value === 'string' ? value : '';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new VaultError(400, `failed to base64-decode ${what}`);
  return bytes;
}

/** Vault's transit engine, mounted at `secrets/transit` of the namespace `team`, with the key `sealift` (aes256-gcm96). */
export async function startTransitFake(options: FakeOptions = {}): Promise<KeyServiceFake> {
  const key = createSymmetricKey();
  const unwrapped: string[] = [];
  let state: KeyState = 'enabled';
  let isAllowed = true;
  let leastVersion = 1;

  function authorize({ headers }: FakeRequest): void {
    if (headers['x-vault-namespace'] !== NAMESPACE)
      throw new VaultError(404, 'no handler for route "secrets/transit". route entry not found.');
    if (headers['x-vault-token'] !== TOKEN || !isAllowed)
      throw new VaultError(403, '1 error occurred:\n\t* permission denied\n\n');
  }

  function encrypt(plaintext: Buffer, associated: Buffer): string {
    return `vault:v${key.version()}:${key.encrypt(plaintext, associated).toString('base64')}`;
  }

  function decrypt(ciphertext: unknown, associated: Buffer): Buffer {
    if (state === 'gone') throw new VaultError(400, 'encryption key not found');
    const [, version = '', box = ''] = /^vault:v(\d{1,6}):(.+)$/.exec(String(ciphertext)) ?? [];
    if (version === '') throw new VaultError(400, 'invalid ciphertext: no prefix');
    if (Number(version) < leastVersion)
      throw new VaultError(400, 'ciphertext or signature version is disallowed by policy (too old)');
    const plaintext = key.decrypt(decode(box, 'ciphertext'), associated, Number(version));
    if (!plaintext) throw new VaultError(400, 'cipher: message authentication failed');
    unwrapped.push(plaintext.toString('base64'));
    return plaintext;
  }

  function answer(operation: string, request: FakeRequest): object {
    authorize(request);
    if (request.body.length > MOST_BODY) throw new VaultError(413, 'http: request body too large');
    const input = readJson(request);
    const associated = decode(input['associated_data'] ?? '', 'associated_data');
    if (operation === 'decrypt')
      return { plaintext: decrypt(input['ciphertext'], associated).toString('base64') };
    // Without the permission to create keys, encrypting with a missing key does not create it.
    if (state === 'gone') throw new VaultError(403, '1 error occurred:\n\t* permission denied\n\n');
    if (input['plaintext'] === undefined) throw new VaultError(400, 'missing plaintext to encrypt');
    return {
      ciphertext: encrypt(decode(input['plaintext'], 'plaintext'), associated),
      key_version: key.version(),
    };
  }

  const fake = await startFake(
    {
      type: 'vault-transit',
      identify: ({ method, path }) => ({
        operation: (method === 'POST' && ROUTE.exec(path)?.[1]) || 'unknown',
        target: null,
      }),
      handle(request, { operation }) {
        try {
          if (operation === 'unknown') throw new VaultError(404, 'no handler for route');
          return {
            status: 200,
            body: { request_id: 'x', lease_id: '', renewable: false, data: answer(operation, request) },
          };
        } catch (error) {
          if (error instanceof VaultError) return toReply(error);
          throw error;
        }
      },
      refuse,
      ...HOLDS_NOTHING,
      reset() {
        state = 'enabled';
        isAllowed = true;
        leastVersion = 1;
      },
    },
    options,
  );
  return {
    ...fake,
    address: 'vault-transit://secrets/transit/sealift',
    environment: { VAULT_ADDR: `${fake.url}/`, VAULT_TOKEN: TOKEN, VAULT_NAMESPACE: NAMESPACE },
    withoutCredentials: { VAULT_TOKEN: '' },
    credentials: [TOKEN],
    operations: ['encrypt', 'decrypt'],
    // Transit has no disabled keys. The nearest state is one in which older versions may not decrypt any more.
    setState(next) {
      state = next;
      if (next === 'disabled') leastVersion = key.version() + 1;
    },
    setAllowed: (allowed) => (isAllowed = allowed),
    rotate: key.rotate,
    wrapForOthers: (bytes) => `vault-transit://secrets/transit/sealift#${encrypt(bytes, Buffer.alloc(0))}`,
    unwrapped: () => unwrapped,
  };
}
