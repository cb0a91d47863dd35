import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

// RFC 5321. They count bytes.
const MOST_LOCAL_BYTES = 64;
const MOST_ADDRESS_BYTES = 254;
// RFC 1035.
const MOST_LABEL_BYTES = 63;

/** A plain address without a display name, and without anything that could start a second header or recipient. */
export function isEmailAddress(value: string): boolean {
  const parts = /^([^\s@<>(),;:"\\[\]\p{C}]+)@[^\s@<>(),;:"\\[\]\p{C}]+$/u.exec(value);
  if (!parts || Buffer.byteLength(parts[1] ?? '') > MOST_LOCAL_BYTES) return false;
  const mailbox = toMailbox(value);
  if (mailbox === undefined || Buffer.byteLength(mailbox) > MOST_ADDRESS_BYTES) return false;
  const labels = mailbox.slice(mailbox.lastIndexOf('@') + 1).split('.');
  return labels.every((label) => label.length <= MOST_LABEL_BYTES);
}

/**
 * An address as mail servers take it: a domain that is not ASCII is written with A-labels (`xn--…`). Undefined if the
 * domain cannot be written so. What stands before the @ stays as it is.
 */
export function toMailbox(address: string): string | undefined {
  const sign = address.lastIndexOf('@');
  const domain = address.slice(sign + 1);
  if (/^[\x21-\x7e]+$/.test(domain)) return address;
  const written = domainToASCII(domain);
  return written === '' ? undefined : `${address.slice(0, sign)}@${written}`;
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
