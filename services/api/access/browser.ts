import { timingSafeEqual } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { fingerprint } from '../../../libs/crypto/fingerprint.ts';
import type { Config } from '../../../libs/config/config.ts';
import type { Installation } from '../../../libs/store/maintenance/installation.ts';

/** Without this header a session cookie is ignored. Links, images and other sites cannot send the header. */
export const CSRF_HEADER = 'x-sealift-csrf';

/** Pages send this header with requests that they make by themselves. Such a request does not keep a session alive. */
export const BACKGROUND_HEADER = 'sealift-background';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Facts about a request that comes from a browser. */
export type Browser = {
  /** The request came over https, at least to the last proxy. */
  isSecure: boolean;
  /** The host is this machine, so nobody can listen on the network. */
  isLoopback: boolean;
  /** A page of our own sent the request, as far as the browser tells. */
  isSameOrigin: boolean;
};

export function browserOf(ctx: KoaContext, config: Pick<Config, 'PUBLIC_URL'>): Browser {
  const { host } = ctx;
  const isPublicHttps = config.PUBLIC_URL.startsWith('https:') && new URL(config.PUBLIC_URL).host === host;
  return {
    isSecure: ctx.secure || isPublicHttps,
    isLoopback: LOOPBACK.test(host),
    isSameOrigin: isSameOrigin(ctx.get('sec-fetch-site'), ctx.get('origin'), host),
  };
}

/**
 * Whether a session may send a request with this method. Reads need only the header of our pages; other methods must
 * come from our own origin.
 */
export function mayAct(method: string, { isSameOrigin: isOwn }: Browser): boolean {
  return READS.has(method) || isOwn;
}

/**
 * The name of the session cookie. All ports of a machine share cookies, so the name contains the id of the installation.
 */
export function cookieName({ id }: Pick<Installation, 'id'>, { isSecure }: Browser): string {
  return `${isSecure ? '__Host-' : ''}sealift-${id.slice(0, 8)}`;
}

/** The name of the cookie that recognises a browser when it comes back from the identity provider. */
export function nonceCookieName({ id }: Pick<Installation, 'id'>, { isSecure }: Browser): string {
  return `${isSecure ? '__Host-' : ''}sealift-saml-${id.slice(0, 8)}`;
}

/** The name of the cookie that recognises the browser that brought the identity provider's answer. */
export function answerCookieName({ id }: Pick<Installation, 'id'>, { isSecure }: Browser): string {
  return `${isSecure ? '__Host-' : ''}sealift-saml-answer-${id.slice(0, 8)}`;
}

/**
 * The header that makes a browser keep a secret for `seconds`, or until it is closed. An empty secret deletes the cookie.
 */
export function setCookie(name: string, secret: string, { isSecure }: Browser, seconds?: number): string {
  const age = secret === '' ? 0 : seconds;
  const end = age === undefined ? '' : `; Max-Age=${age}`;
  return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${end}`;
}

/** The value of a cookie; undefined if it was not sent. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/; */).find((candidate) => candidate.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || undefined;
}

/** The CSRF token that a page must send with a session cookie. */
export function csrfOf(hashKey: Buffer, secret: string): string {
  return fingerprint(hashKey, 'csrf', secret).toString('base64url');
}

/** Whether `given` is the CSRF token of the session. */
export function isCsrf(hashKey: Buffer, secret: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(csrfOf(hashKey, secret)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

// Browsers send no Sec-Fetch-Site over plain http, except on loopback.
function isSameOrigin(site: string, origin: string, host: string): boolean {
  if (site !== '') return site === 'same-origin';
  return URL.canParse(origin) && new URL(origin).host === host;
}
