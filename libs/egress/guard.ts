import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses and ports that the settings of a destination allow; an empty list allows all. */
export type NetworkLimits = {
  /** CIDRs of both IP versions. */
  addresses: string[];
  ports: number[];
};

/** What a call may reach: the operator's exceptions, and the limits of a destination, if it has any. */
export type EgressRules = {
  /** CIDRs and host suffixes that connectors may call although the guard would refuse them (`EGRESS_ALLOW`). */
  egressAllow: string[];
  /** Every agent obeys these limits, also where it signs in. */
  networkLimits?: NetworkLimits | undefined;
};

/** `EGRESS_LIMITED`: the destination's own limits forbid the call. */
type EgressCode = 'EGRESS_REFUSED' | 'EGRESS_LIMITED';

/** A call was stopped before it was sent. `code` survives if an SDK wraps the error. */
export class EgressError extends Error {
  readonly code: EgressCode;
  constructor(message: string, code: EgressCode = 'EGRESS_REFUSED') {
    super(message);
    this.name = 'EgressError';
    this.code = code;
  }
}

const NO_SCHEME = 'the URL must begin with https://';
const SPECIAL_HOST = 'the URL names a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';

// ipaddr.js counts more addresses as unicast than are handed out: only 2000::/3 is global.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
// This address looks public, but on every Azure machine it is the platform's own service.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * What is wrong with a URL that a caller chose, as one sentence, or null. Makes no DNS look-up: the agent checks at each
 * connection where the name leads.
 */
export function checkUrl(url: string, rules: EgressRules): string | null {
  // Parsers drop these characters or move them, so the URL that is called would not be the one that was written.
  if (/[\s\p{C}\\]/u.test(url)) return 'the URL must not contain spaces, control characters or \\';
  if (!URL.canParse(url)) return /^https?:/i.test(url) ? 'the URL cannot be read' : NO_SCHEME;
  const { protocol, username, password, hostname } = new URL(url);
  if (username || password) return 'the URL must not contain credentials';
  const allowed = isAllowed(hostname, rules);
  if (protocol !== 'https:' && !(allowed && protocol === 'http:')) return NO_SCHEME;
  if (allowed) return null;
  const host = bareHost(hostname);
  if (isIP(host)) return isPublic(host) ? null : SPECIAL_HOST;
  return host === 'localhost' || host.endsWith('.localhost') ? SPECIAL_HOST : null;
}

/** Whether the operator allowed this host, a domain above it, or a range that contains its literal address. */
export function isAllowed(host: string, rules: EgressRules): boolean {
  const bare = bareHost(host);
  return rules.egressAllow.some((entry) => (isIP(bare) ? isInRange(bare, entry) : isBelow(bare, entry)));
}

/** Whether a call to a host may go to an address that its name resolves to. */
export function mayReach(host: string, address: string, rules: EgressRules): boolean {
  return isPublic(address) || isAllowed(address, rules) || isAllowed(host, rules);
}

function isPublic(text: string): boolean {
  // Only link-local addresses have a zone (`fe80::1%eth0`).
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** Whether an address is in a range (CIDR), or equals the entry if that is one address. */
export function isInRange(address: string, entry: string): boolean {
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
