import type { Database } from '../../../libs/db/connect.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';
import { listPublicKeys } from '../../../libs/store/oidc/keys.ts';

const LIMIT_MS = 1500;
const PATH = '/v1/identity/oidc/secrets-sync';

/**
 * The address in the issuer that the API at a URL tells people. Undefined if nothing answers there, or an API of another
 * installation, which has other signing keys.
 */
export async function findStatedIssuer(url: string, db: Database): Promise<string | undefined> {
  const own = new Set((await listPublicKeys(db)).map(({ kid }) => kid));
  if (own.size === 0) return undefined;
  try {
    const [{ issuer }, { keys }] = await Promise.all([
      read(`${url}${PATH}/.well-known/openid-configuration`),
      read(`${url}${PATH}/.well-known/keys`),
    ]);
    const isOwn = Array.isArray(keys) && keys.some((key) => isJsonObject(key) && own.has(String(key['kid'])));
    return isOwn && typeof issuer === 'string' && issuer.endsWith(PATH)
      ? issuer.slice(0, -PATH.length)
      : undefined;
  } catch {
    return undefined;
  }
}

async function read(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) });
  const found = parseJson(await answer.text());
  return isJsonObject(found) ? found : {};
}
