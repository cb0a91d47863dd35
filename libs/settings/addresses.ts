import { isIP } from 'node:net';

/** A plain address without a display name, and without anything that could start a second header or recipient. */
export function isEmailAddress(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u.test(value);
}

/** A host name or an IP address. */
export function isHost(value: string): boolean {
  if (isIP(value) !== 0) return true;
  return value.length <= 253 && /^(?!-)[\p{L}\p{N}_-]{1,63}(\.[\p{L}\p{N}_-]{1,63})*\.?$/u.test(value);
}

/** An absolute https URL without credentials, and without characters that URL parsers drop or replace. */
export function isHttpsUrl(value: string): boolean {
  if (/[\s\p{C}]/u.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'https:' && url.username === '' && url.password === '';
}
