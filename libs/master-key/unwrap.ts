import type { KeyServiceConfig } from '../config/key-service.ts';
import { KeyServiceError } from './key-services/failure.ts';
import type { KeyService } from './key-services/key-service.ts';
import { services } from './services.ts';
import type { KeyAddress, WrappedKey } from './wrapped-key.ts';

const KEY_BYTES = 32;
const CALL_LIMIT_MS = 10_000;

/** Tries once to unwrap a master key, for at most 10 s. Throws KeyServiceError. */
export async function unwrapMasterKey(
  { ciphertext, ...address }: WrappedKey,
  config: KeyServiceConfig,
  signal?: AbortSignal,
): Promise<Buffer> {
  const unwrap = (service: KeyService, ending: AbortSignal): Promise<Buffer> =>
    service.unwrap(ciphertext, ending);
  const key = await withKeyService(address, config, unwrap, signal);
  if (key.length !== KEY_BYTES) throw new KeyServiceError('not_ours');
  return key;
}

/** Wraps a master key, and unwraps it to prove that this works. Throws KeyServiceError. */
export async function wrapMasterKey(
  masterKey: Buffer,
  address: KeyAddress,
  config: KeyServiceConfig,
): Promise<WrappedKey> {
  const made = await withKeyService(address, config, (service, ending) => service.wrap(masterKey, ending));
  const wrapped = { ...address, ...made };
  const opened = await unwrapMasterKey(wrapped, config);
  if (!opened.equals(masterKey)) throw new KeyServiceError('unexpected');
  return wrapped;
}

async function withKeyService<Result>(
  { service, key }: KeyAddress,
  config: KeyServiceConfig,
  use: (service: KeyService, ending: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const opened = await services[service]?.open(key, config);
  if (!opened) throw new KeyServiceError('not_found');
  const limit = AbortSignal.timeout(Math.min(config.SEALIFT_MASTER_KEY_TIMEOUT, CALL_LIMIT_MS));
  const ending = signal ? AbortSignal.any([limit, signal]) : limit;
  try {
    return await Promise.race([whenEnded(ending), use(opened, ending)]);
  } finally {
    opened.close();
  }
}

// Not every library obeys the signal in every step: a source of credentials may hang too.
function whenEnded(ending: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new KeyServiceError('unreachable', { code: 'no answer in time' }));
    if (ending.aborted) end();
    else ending.addEventListener('abort', end, { once: true });
  });
}
