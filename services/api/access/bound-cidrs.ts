import { BlockList, isIP, isIPv4 } from 'node:net';
import { plainAddress } from './client-address.ts';

/** Whether a text is an IP address or a CIDR range. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || longest === -1 || address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

/**
 * Whether an address is in one of the ranges; an empty list allows every address. An IPv4 address counts as IPv4 even
 * if the socket reports it in IPv6 form.
 */
export function isWithinCidrs(address: string, cidrs: string[]): boolean {
  if (cidrs.length === 0) return true;
  const plain = plainAddress(address);
  if (isIP(plain) === 0) return false;
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    ranges.addSubnet(network, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return ranges.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
