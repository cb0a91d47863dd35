import { signingKeysOf } from '../../../libs/crypto/verify-token.ts';
import { fetchOnce } from '../../../libs/egress/fetch-once.ts';
import { EgressError } from '../../../libs/egress/guard.ts';
import type { KeySet, KeySource } from '../../../libs/store/auth/key-sets.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

const LIMIT_MS = 5000;
const LONGEST = 256 * 1024;
const WELL_KNOWN = '/.well-known/openid-configuration';

/** The keys of an issuer could not be fetched. The message is a sentence that may be shown; it holds nothing that was received. */
export class KeySetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeySetError';
  }
}

/** Fetches the keys of an issuer, only from public addresses and those in `egressAllow`. Throws KeySetError. */
export async function fetchKeySet(source: KeySource, egressAllow: string[]): Promise<KeySet> {
  const means = { ca: source.ca, egressAllow };
  if ('keySetUrl' in source) return { issuer: null, keys: await readKeys(source.keySetUrl, means) };
  const named = source.discoveryUrl.replace(/\/+$/, '');
  const url = `${named.slice(0, named.length - (named.endsWith(WELL_KNOWN) ? WELL_KNOWN.length : 0))}${WELL_KNOWN}`;
  const { issuer, jwks_uri: keysUrl } = (await read(url, means)) as Record<string, unknown>;
  if (typeof issuer !== 'string' || issuer.replace(/\/+$/, '') !== url.slice(0, -WELL_KNOWN.length))
    throw new KeySetError('the discovery document names another issuer than the URL');
  if (typeof keysUrl !== 'string') throw new KeySetError('the discovery document has no jwks_uri');
  return { issuer, keys: await readKeys(keysUrl, means) };
}

type Means = { ca: string; egressAllow: string[] };

async function readKeys(url: string, means: Means): Promise<KeySet['keys']> {
  const keySet = await read(url, means);
  try {
    return signingKeysOf(keySet);
  } catch (error) {
    throw new KeySetError(`the key set was refused: ${(error as Error).message}`);
  }
}

async function read(url: string, { ca, egressAllow }: Means): Promise<unknown> {
  const headers = { accept: 'application/json', 'user-agent': 'sealift' };
  const means = { ca, egressAllow, timeoutMs: LIMIT_MS };
  const { status, text } = await fetchOnce(url, { headers }, means).catch((error: unknown) => {
    throw new KeySetError(describeFault(error));
  });
  if (status >= 300 && status < 400)
    throw new KeySetError(`the issuer answered with status ${status}, a redirect, which is not followed`);
  if (status !== 200) throw new KeySetError(`the issuer answered with status ${status}`);
  if (text.length > LONGEST) throw new KeySetError('the answer of the issuer is too long');
  try {
    const parsed = parseJson(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Said below.
  }
  throw new KeySetError('the answer of the issuer is no JSON object');
}

// The text of an error may hold what was received; its code does not.
function describeFault(error: unknown): string {
  if (error instanceof EgressError) return `the issuer was not called: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `the issuer cannot be reached (${/^\w{1,60}$/.test(code) ? code : 'unknown'})`;
}
