import { BlockList, isIP, isIPv4 } from 'node:net';
import { findInSlices } from '../../../libs/time/slices.ts';
import { plainAddress } from './client-address.ts';

/** Whether a text is an IP address or a CIDR range. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || longest === -1 || address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

/** Whether a range holds every address of its kind, IPv4 or IPv6. */
export function isEveryAddress(cidr: string): boolean {
  return bitsOf(cidr) === 0;
}

/** Whether each address and range lies within one of the ranges; no ranges allow everything. */
export async function areWithinCidrs(inner: string[], ranges: string[]): Promise<boolean> {
  if (ranges.length === 0) return true;
  const outer = ranges.map((range) => ({ bits: bitsOf(range), list: listOf([range]) }));
  const beyond = await findInSlices(inner, (cidr) => {
    const [address = ''] = cidr.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return !outer.some(({ bits, list }) => bitsOf(cidr) >= bits && list.check(address, family));
  });
  return beyond === undefined;
}

/**
 * Whether an address is in one of the ranges; an empty list allows every address. An IPv4 address counts as IPv4 even
 * if the socket reports it in IPv6 form.
 */
export function isWithinCidrs(address: string, cidrs: string[]): boolean {
  if (cidrs.length === 0) return true;
  const plain = plainAddress(address);
  if (isIP(plain) === 0) return false;
  return listOf(cidrs).check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

function listOf(cidrs: string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = ''] = cidr.split('/');
    list.addSubnet(network, bitsOf(cidr), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}

function bitsOf(cidr: string): number {
  const [network = '', bits] = cidr.split('/');
  return Number(bits ?? (isIPv4(network) ? 32 : 128));
}
