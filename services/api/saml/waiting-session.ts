import { fingerprint, randomToken } from '../../../libs/crypto/fingerprint.ts';
import { storePendingSession, type PendingToken } from '../../../libs/store/settings/saml.ts';
import { answerCookieName, setCookie, type Browser } from '../access/browser.ts';
import type { ApiServices } from '../services.ts';

/** How long a user may take at the identity provider, and how long the browser may then take to fetch its session. */
export const LOGIN_SECONDS = 600;

/** The hash by which we recognise a browser that has begun a sign-in. */
export function hashNonce({ installation }: Pick<ApiServices, 'installation'>, nonce: string): Buffer {
  return fingerprint(installation.hashKey, 'saml nonce', nonce);
}

/**
 * The hash by which a waiting session is found: of the nonce of the browser that began the sign-in, and of the one that the
 * browser got which brought the answer. Only a browser with both gets the session. Otherwise a stranger could begin a sign-in,
 * send somebody to the identity provider, and fetch their session.
 */
export function hashBoth(
  { installation }: Pick<ApiServices, 'installation'>,
  nonceHash: Buffer,
  answerNonce: string,
): Buffer {
  return fingerprint(installation.hashKey, 'saml answer', `${nonceHash.toString('hex')} ${answerNonce}`);
}

/**
 * Lets a session wait for our own page, which fetches it: browsers send no cookie with the request that a page of the identity
 * provider makes.
 */
export async function letWait(
  services: ApiServices,
  browser: Browser,
  { nonceHash, token }: { nonceHash: Buffer; token: PendingToken },
) {
  const answerNonce = randomToken();
  await storePendingSession(services.db, {
    nonceHash: hashBoth(services, nonceHash, answerNonce),
    token,
    lifetimeSeconds: LOGIN_SECONDS,
  });
  const name = answerCookieName(services.installation, browser);
  const cookie = setCookie(name, answerNonce, browser, LOGIN_SECONDS);
  return { status: 303, headers: { Location: '/ui/signing-in', 'Set-Cookie': cookie } };
}
