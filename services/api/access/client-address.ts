import { isIP } from 'node:net';

/** An address as networks and the audit trail know it: an IPv4 address in IPv6 form becomes plain. */
export function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
}

/** The client's address; null if a proxy sent something else in its place, which may be any text. */
export function clientAddress(address: string): string | null {
  const plain = plainAddress(address);
  return isIP(plain) === 0 ? null : plain;
}
