import { timingSafeEqual } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { fingerprint } from '../../../libs/crypto/fingerprint.ts';
import type { Config } from '../../../libs/config/config.ts';
import type { Installation } from '../../../libs/store/maintenance/installation.ts';

/** The header without which a cookie says nothing: links, images and other sites cannot send it. */
export const CSRF_HEADER = 'x-sealift-csrf';

/** The header of what a page asks by itself: it does not keep a session alive. */
export const BACKGROUND_HEADER = 'sealift-background';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** How a request came from a browser's point of view. */
export type Browser = {
  /** Over https, at the last proxy at least. */
  isSecure: boolean;
  /** Of this machine itself, which nobody listens in on. */
  isLoopback: boolean;
  /** A page of our own has sent it, as far as the browser tells. */
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

/** Whether a session may do what a request asks: reads need no more than the header of the page's own. */
export function mayAct(method: string, { isSameOrigin: isOwn }: Browser): boolean {
  return READS.has(method) || isOwn;
}

/** The name of the session's cookie. Ports of one machine share cookies, so it tells the installation. */
export function cookieName({ id }: Pick<Installation, 'id'>, { isSecure }: Browser): string {
  return `${isSecure ? '__Host-' : ''}sealift-${id.slice(0, 8)}`;
}

/** The name of the cookie by which a browser is known again that comes back from the identity provider. */
export function nonceCookieName({ id }: Pick<Installation, 'id'>, { isSecure }: Browser): string {
  return `${isSecure ? '__Host-' : ''}sealift-saml-${id.slice(0, 8)}`;
}

/** The header that has a browser keep a secret for so many seconds, or until it is closed; an empty one takes it away. */
export function setCookie(name: string, secret: string, { isSecure }: Browser, seconds?: number): string {
  const age = secret === '' ? 0 : seconds;
  const end = age === undefined ? '' : `; Max-Age=${age}`;
  return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${end}`;
}

/** A cookie's value; undefined where it is not sent. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/; */).find((candidate) => candidate.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || undefined;
}

/** What a page must send along with a session's cookie. */
export function csrfOf(hashKey: Buffer, secret: string): string {
  return fingerprint(hashKey, 'csrf', secret).toString('base64url');
}

/** Whether the header holds it. */
export function isCsrf(hashKey: Buffer, secret: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(csrfOf(hashKey, secret)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

// Over plain http off loopback browsers send no Sec-Fetch-Site.
function isSameOrigin(site: string, origin: string, host: string): boolean {
  if (site !== '') return site === 'same-origin';
  return URL.canParse(origin) && new URL(origin).host === host;
}
