import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { ConnectorContext } from '../connector/contract.ts';

export type EgressRules = Pick<ConnectorContext, 'egressAllow' | 'networkLimits'>;

/** `EGRESS_LIMITED`: the limits of the destination itself forbid it. */
type EgressCode = 'EGRESS_REFUSED' | 'EGRESS_LIMITED';

/** A call was stopped before it left; `code` survives where an SDK wraps the error. */
export class EgressError extends Error {
  readonly code: EgressCode;
  constructor(message: string, code: EgressCode = 'EGRESS_REFUSED') {
    super(message);
    this.name = 'EgressError';
    this.code = code;
  }
}

const SPECIAL_HOST = 'the URL names a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';

// What ipaddr.js calls unicast holds more than the addresses handed out: only 2000::/3 is global.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
// Public by number, but it is every Azure machine's own platform service.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * What is wrong with a URL that a caller chose, as one sentence, or null. It asks no DNS: where a name leads is checked
 * by the agent at each connection.
 */
export function checkUrl(url: string, rules: EgressRules): string | null {
  if (!URL.canParse(url)) return 'the URL cannot be read';
  const { protocol, username, password, hostname } = new URL(url);
  if (username || password) return 'the URL must not hold credentials';
  const allowed = isAllowed(hostname, rules);
  if (protocol !== 'https:' && !(allowed && protocol === 'http:')) return 'the URL must begin with https://';
  if (allowed) return null;
  const host = bareHost(hostname);
  if (isIP(host)) return isPublic(host) ? null : SPECIAL_HOST;
  return host === 'localhost' || host.endsWith('.localhost') ? SPECIAL_HOST : null;
}

/** Whether the operator named this host, a domain above it, or a range its literal address is in. */
export function isAllowed(host: string, rules: EgressRules): boolean {
  const bare = bareHost(host);
  return rules.egressAllow.some((entry) => (isIP(bare) ? isWithin(bare, entry) : isBelow(bare, entry)));
}

/** Whether a host may be called at an address that it resolves to. */
export function mayReach(host: string, address: string, rules: EgressRules): boolean {
  return isPublic(address) || isAllowed(address, rules) || isAllowed(host, rules);
}

function isPublic(text: string): boolean {
  // A zone (`fe80::1%eth0`) is only ever part of a link-local address.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** Whether an address is in a range (CIDR), or is the one address that stands there. */
export function isWithin(address: string, entry: string): boolean {
  const range = entry.includes('/') ? entry : `${entry}/${isIP(entry) === 6 ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(range) || !ipaddr.isValid(address)) return false;
  const [network, bits] = ipaddr.parseCIDR(range);
  const parsed = ipaddr.process(address);
  return parsed.kind() === network.kind() && parsed.match(network, bits);
}

function isBelow(host: string, entry: string): boolean {
  const domain = entry.toLowerCase().replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
