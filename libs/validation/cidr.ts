import { isIPv4, isIPv6 } from 'node:net';

/** Whether a text is an IPv4 range such as `192.0.2.0/24`. */
export function isIpv4Cidr(text: string): boolean {
  const { address, bits } = split(text);
  return isIPv4(address) && bits <= 32;
}

/** Whether a text is an IPv6 range such as `2001:db8::/32`. A range of IPv4 addresses in IPv6 form does not count. */
export function isIpv6Cidr(text: string): boolean {
  const { address, bits } = split(text);
  return isIPv6(address) && !address.includes('%') && !/^::ffff:/i.test(address) && bits <= 128;
}

function split(text: string): { address: string; bits: number } {
  const [, address = '', bits = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  return { address, bits: bits === '' ? Infinity : Number(bits) };
}
