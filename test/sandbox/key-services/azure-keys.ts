import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto';
import { startAuthority } from '../azure-key-vault/authority.ts';
import { createCertificate } from '../azure-key-vault/certificate.ts';
import { findTokenFault, VAULT_AUDIENCE } from '../azure-key-vault/tokens.ts';
import {
  badParameter,
  toErrorReply,
  tokenUnknown,
  VendorError,
  vendorHeaders,
} from '../azure-key-vault/vendor-error.ts';
import {
  type FakeReply,
  type FakeRequest,
  readJson,
  type Refusal,
  startFake,
  type FakeOptions,
} from '../fake-server.ts';
import { TENANT } from '../given-out.ts';
import { HOLDS_NOTHING, type KeyServiceFake, type KeyState } from './contract.ts';

const NAME = 'sealift';
const ALGORITHM = 'RSA-OAEP-256';
const CLIENT = { AZURE_CLIENT_ID: 'application', AZURE_CLIENT_SECRET: 'client~secret' };
const MOST_PLAINTEXT = 190;
const OPERATIONS: Record<string, string> = { wrapkey: 'WrapKey', unwrapkey: 'UnwrapKey' };

const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
const makeVersion = () => ({
  id: randomBytes(16).toString('hex'),
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

const notFound = () =>
  new VendorError(404, 'KeyNotFound', `A key with (name/id) ${NAME} was not found in this key vault.`);

function identify({ method, path, headers }: FakeRequest): { operation: string; target: string | null } {
  if (headers.authorization === undefined) return { operation: 'Challenge', target: null };
  const verb = path.split('/').at(-1) ?? '';
  const operation = method === 'GET' ? 'GetKey' : (OPERATIONS[verb] ?? 'unknown');
  return { operation, target: null };
}

/** An Azure key vault with one RSA key of several versions, and the sign-in service that it trusts, both over https. */
export async function startAzureKeysFake(options: FakeOptions = {}): Promise<KeyServiceFake> {
  const certificate = await createCertificate();
  const authority = await startAuthority(certificate);
  const versions = [makeVersion()];
  const unwrapped: string[] = [];
  let state: KeyState = 'enabled';
  let isAllowed = true;

  function challenge(error: VendorError): FakeReply {
    const reply = toErrorReply(error);
    const authenticate = `Bearer authorization="${authority.url}/${TENANT}", resource="${VAULT_AUDIENCE}"`;
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': authenticate } };
  }

  function refuse({ kind, status, code }: Refusal): FakeReply {
    if (kind === 'revoked') return challenge(tokenUnknown());
    const detail = 'Vendor detail that nobody may be shown';
    if (kind === 'throttle') return toErrorReply(new VendorError(status ?? 429, code ?? 'Throttled', detail));
    return toErrorReply(new VendorError(status ?? 500, code ?? 'InternalServerError', detail));
  }

  function find(request: FakeRequest) {
    const [, collection, name, version = ''] = request.path.split('/');
    if (collection !== 'keys' || name !== NAME || state === 'gone' || state === 'deleting') throw notFound();
    const found = version === '' ? versions.at(-1) : versions.find(({ id }) => id === version);
    if (!found) throw notFound();
    return found;
  }

  function answer(operation: string, request: FakeRequest): object {
    if (!request.query.get('api-version'))
      throw badParameter('A valid api-version query parameter must be specified.');
    const version = find(request);
    const kid = `${fake.url}/keys/${NAME}/${version.id}`;
    if (!isAllowed)
      throw new VendorError(
        403,
        'Forbidden',
        'Caller is not authorized to perform action on resource.',
        'ForbiddenByRbac',
      );
    if (operation === 'GetKey') {
      const jwk = { ...version.publicKey.export({ format: 'jwk' }), kid, key_ops: ['wrapKey', 'unwrapKey'] };
      return { key: jwk, attributes: { enabled: state === 'enabled' } };
    }
    if (state === 'disabled')
      throw new VendorError(
        403,
        'Forbidden',
        `Operation ${operation} is not allowed on a disabled key.`,
        'KeyDisabled',
      );
    const { alg, value } = readJson(request);
    if (alg !== ALGORITHM) throw badParameter('Key and signing algorithm are incompatible.');
    const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64url');
    return { kid, value: operation === 'WrapKey' ? wrap(version, bytes) : unwrap(version, bytes) };
  }

  function wrap({ publicKey }: (typeof versions)[number], bytes: Buffer): string {
    if (bytes.length === 0 || bytes.length > MOST_PLAINTEXT)
      throw badParameter('The parameter is incorrect.');
    return publicEncrypt({ key: publicKey, ...padding }, bytes).toString('base64url');
  }

  function unwrap({ privateKey }: (typeof versions)[number], bytes: Buffer): string {
    try {
      const plaintext = privateDecrypt({ key: privateKey, ...padding }, bytes);
      unwrapped.push(plaintext.subarray(-32).toString('base64'));
      return plaintext.toString('base64url');
    } catch {
      throw badParameter('The parameter is incorrect.');
    }
  }

  const fake = await startFake(
    {
      type: 'azure-keys',
      identify,
      handle(request, { operation }) {
        const fault = findTokenFault(request, authority.tokens, TENANT);
        if (fault) return challenge(fault);
        try {
          if (operation === 'unknown') throw new VendorError(404, 'NotFound', 'There is no such resource.');
          return { status: 200, headers: vendorHeaders(), body: answer(operation, request) };
        } catch (error) {
          if (error instanceof VendorError) return toErrorReply(error);
          throw error;
        }
      },
      refuse,
      ...HOLDS_NOTHING,
      reset() {
        authority.reset();
        state = 'enabled';
        isAllowed = true;
      },
    },
    { ...options, tls: certificate },
  );
  const key = (): string => `${new URL(fake.url).host}/keys/${NAME}`;
  return {
    ...fake,
    address: `azure-key-vault://${key()}`,
    environment: {
      ...CLIENT,
      AZURE_TENANT_ID: TENANT,
      AZURE_AUTHORITY_HOST: authority.url,
      NODE_EXTRA_CA_CERTS: certificate.file,
    },
    withoutCredentials: { AZURE_CLIENT_SECRET: '', AZURE_TOKEN_CREDENTIALS: 'prod' },
    credentials: [CLIENT.AZURE_CLIENT_SECRET],
    operations: ['WrapKey', 'UnwrapKey'],
    setState: (next) => (state = next),
    setAllowed: (allowed) => (isAllowed = allowed),
    rotate: () => void versions.push(makeVersion()),
    wrapForOthers(bytes) {
      const version = versions.at(-1) ?? makeVersion();
      return `azure-key-vault://${key()}/${version.id}#${wrap(version, bytes)}`;
    },
    unwrapped: () => unwrapped,
    async close() {
      await Promise.all([fake.close(), authority.close(), certificate.remove()]);
    },
  };
}
