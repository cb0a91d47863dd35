import { isIP } from 'node:net';

/** What is no rule among the items of EGRESS_ALLOW. A rule is an address, a CIDR, or a host suffix. */
export function strangeRules(items: string[]): string[] {
  return items.filter((item) => !isRange(item) && !/^(\*?\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(item));
}

function isRange(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}
