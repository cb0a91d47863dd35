import { isIP } from 'node:net';

/** An address as networks and the audit trail know it: in one spelling, and an IPv4 address in IPv6 form becomes plain. */
export function plainAddress(address: string): string {
  // A zone is a name on the machine that saw it.
  const plain = address.toLowerCase().replace(/%.*$/s, '');
  if (isIP(plain) !== 6) return plain;
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return short;
  const halves = mapped.slice(1).map((half) => Number.parseInt(half, 16));
  return halves.flatMap((half) => [half >> 8, half & 255]).join('.');
}

/**
 * Whom a limit for addresses counts. One customer or machine has a whole /64 of IPv6 and may use another address for each
 * request, so a /64 counts as one.
 */
export function limitedAddress(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [front = '', back] = plain.split('::');
  const first = front.split(':').filter(Boolean);
  const last = (back ?? '').split(':').filter(Boolean);
  const gap = back === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: gap }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** A text as a plain address; null if it is none. */
export function readAddress(text: string): string | null {
  const plain = plainAddress(text);
  return isIP(plain) === 0 ? null : plain;
}

/**
 * The address in an entry of X-Forwarded-For, where some proxies write the port as well, or quotes around it; null if there is
 * none.
 */
export function forwardedAddress(entry: string): string | null {
  const plain = /^"(.*)"$/.exec(entry)?.[1] ?? entry;
  const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(plain);
  return readAddress(withPort?.[1] ?? withPort?.[2] ?? plain);
}
