import pRetry from 'p-retry';
import { ConfigError } from '../config/config.ts';
import type { KeyServiceConfig } from '../config/key-service.ts';
import { createKeyring, type Keyring } from '../crypto/keyring.ts';
import { KeyServiceAwayError, KeyServiceError } from './key-services/failure.ts';
import { readGivenKeys, type GivenKey, type MasterKeySettings } from './given.ts';
import { unwrapMasterKey } from './unwrap.ts';
import { formatAddress } from './wrapped-key.ts';

const PAUSES = { retries: Infinity, minTimeout: 500, maxTimeout: 5000 };

type Waiting = {
  signal?: AbortSignal | undefined;
  /** Called for each failure that is retried. */
  onWait?: (failure: Error) => void;
};

/**
 * The master keys from the settings. Key services unwrap the wrapped ones, once. Retries for SEALIFT_MASTER_KEY_TIMEOUT,
 * then throws KeyServiceAwayError. Throws ConfigError at once if waiting does not help.
 */
export async function loadKeyring(
  config: MasterKeySettings & KeyServiceConfig,
  waiting: Waiting = {},
): Promise<Keyring> {
  const [current, ...old] = readGivenKeys(config);
  const [currentKey, ...oldKeys] = await Promise.all([
    openPatiently(current, config, waiting),
    ...old.map((given) => openPatiently(given, config, waiting)),
  ]);
  return createKeyring(currentKey, oldKeys);
}

/** The plain master key, in one attempt. Throws KeyServiceAwayError, or ConfigError if another attempt would not help. */
export async function openKey(
  given: GivenKey,
  config: KeyServiceConfig,
  signal?: AbortSignal,
): Promise<Buffer> {
  if ('key' in given) return given.key;
  try {
    return await unwrapMasterKey(given.wrapped, config, signal);
  } catch (error) {
    if (!(error instanceof KeyServiceError)) throw error;
    const text = `${given.setting} cannot be unwrapped by ${formatAddress(given.wrapped)}: ${error.message}`;
    throw error.passes ? new KeyServiceAwayError(text) : new ConfigError([text]);
  }
}

async function openPatiently(
  given: GivenKey,
  config: KeyServiceConfig,
  { signal, onWait }: Waiting,
): Promise<Buffer> {
  const limitMs = config.SEALIFT_MASTER_KEY_TIMEOUT;
  try {
    return await pRetry(() => openKey(given, config, signal), {
      ...PAUSES,
      maxRetryTime: limitMs,
      signal,
      shouldRetry: ({ error }) => error instanceof KeyServiceAwayError,
      onFailedAttempt: ({ error }) => {
        if (error instanceof KeyServiceAwayError) onWait?.(error);
      },
    });
  } catch (error) {
    if (!(error instanceof KeyServiceAwayError)) throw error;
    throw new KeyServiceAwayError(
      `${error.message}. Gave up after ${limitMs / 1000} s (SEALIFT_MASTER_KEY_TIMEOUT)`,
    );
  }
}
