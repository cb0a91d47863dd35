import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ConfigError } from '../../config/config.ts';
import type { KeyServiceConfig } from '../../config/key-service.ts';
import { KeyServiceError, reasonOfStatus } from './failure.ts';
import { bytesOf, postJson, requireAddress, type KeyServiceAnswer } from './http.ts';
import { BINDING_TEXT, type KeyService } from './key-service.ts';

const bound = { associated_data: Buffer.from(BINDING_TEXT).toString('base64') };

/** A key of Vault's transit engine, `{mount}/{name}`; the settings give Vault's address and token. Throws ConfigError. */
export function openTransitKey(path: string, config: KeyServiceConfig): KeyService {
  const address = requireAddress('VAULT_ADDR', config.VAULT_ADDR);
  const slash = path.lastIndexOf('/');
  const [mount, name] = [path.slice(0, slash), path.slice(slash + 1)];
  const ca = readAuthorities(config);

  async function call(
    verb: 'encrypt' | 'decrypt',
    given: object,
    signal: AbortSignal,
  ): Promise<KeyServiceAnswer['body']> {
    const route = `${mount}/${verb}/${name}`;
    const headers = {
      'x-vault-token': readToken(config),
      'x-vault-request': 'true',
      ...(config.VAULT_NAMESPACE && { 'x-vault-namespace': config.VAULT_NAMESPACE }),
    };
    const { status, body } = await postJson(
      `${address}/v1/${route}`,
      { ...given, ...bound },
      { headers, signal, ca },
    );
    if (status === 200) return (body['data'] ?? {}) as KeyServiceAnswer['body'];
    // Vault gives only a text for these faults: no such key, version or binding, or a key that takes no binding.
    const refused = verb === 'decrypt' ? 'not_ours' : 'unsuitable';
    const reason = status === 400 ? refused : reasonOfStatus(status);
    throw new KeyServiceError(reason, {
      code: String(status),
      right: `\`update\` on ${route}, or renew its token`,
    });
  }

  return {
    async wrap(masterKey, signal) {
      const { ciphertext } = await call('encrypt', { plaintext: masterKey.toString('base64') }, signal);
      if (typeof ciphertext !== 'string') throw new KeyServiceError('unexpected');
      return { ciphertext };
    },
    async unwrap(ciphertext, signal) {
      const { plaintext } = await call('decrypt', { ciphertext }, signal);
      return bytesOf(plaintext);
    },
    close: () => undefined,
  };
}

// Read at each attempt: an agent may write it at any moment.
function readToken({ VAULT_TOKEN, VAULT_TOKEN_FILE }: KeyServiceConfig): string {
  if (VAULT_TOKEN) return VAULT_TOKEN;
  if (!VAULT_TOKEN_FILE) throw new KeyServiceError('credentials_missing');
  const token = readFile(
    VAULT_TOKEN_FILE,
    () => new KeyServiceError('credentials_missing', { code: 'VAULT_TOKEN_FILE' }),
  ).trim();
  if (/^[!-~]+$/.test(token)) return token;
  throw new KeyServiceError('credentials_missing', { code: 'VAULT_TOKEN_FILE' });
}

function readAuthorities({ VAULT_CACERT }: KeyServiceConfig): string[] | undefined {
  if (!VAULT_CACERT) return undefined;
  return [
    ...rootCertificates,
    readFile(VAULT_CACERT, () => new ConfigError(['VAULT_CACERT cannot be read'])),
  ];
}

function readFile(file: string, fault: () => Error): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw fault();
  }
}
