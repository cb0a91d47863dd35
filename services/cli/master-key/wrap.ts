import { randomBytes } from 'node:crypto';
import { loadKeyServiceConfig } from '../../../libs/config/key-service.ts';
import { KeyServiceAwayError, KeyServiceError } from '../../../libs/master-key/key-services/failure.ts';
import { parseKey } from '../../../libs/master-key/given.ts';
import { openKey } from '../../../libs/master-key/load.ts';
import { wrapMasterKey } from '../../../libs/master-key/unwrap.ts';
import { formatWrapped, parseAddress } from '../../../libs/master-key/wrapped-key.ts';
import { CommandError } from '../exit-codes.ts';

const KEY_BYTES = 32;

/**
 * Wraps a master key with the key at an address: the given key, plain or wrapped, or else a new one. Throws CommandError,
 * KeyServiceAwayError, and ConfigError if the given key is invalid.
 */
export async function wrapKey(address: string, given: string | null): Promise<string> {
  const to = parseAddress(address);
  if (typeof to === 'string') throw new CommandError('usage', `--with: ${to}`);
  const config = loadKeyServiceConfig();
  const key =
    given === null
      ? randomBytes(KEY_BYTES)
      : await openKey(parseKey(given, 'the key on standard input'), config);
  try {
    return formatWrapped(await wrapMasterKey(key, to, config));
  } catch (error) {
    if (!(error instanceof KeyServiceError)) throw error;
    const text = `${address} did not wrap the key: ${error.message}`;
    throw error.passes ? new KeyServiceAwayError(text) : new CommandError('failed', text);
  }
}
