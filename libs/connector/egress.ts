import { lookup as resolveHost, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { OperatorSettings } from './contract.ts';

export type EgressRules = Pick<OperatorSettings, 'egressAllow'>;

/** Every address of a host, in the order to be tried; `node:dns` unless a test says otherwise. */
export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** A call was stopped before it left; `code` survives where an SDK wraps the error. */
export class EgressError extends Error {
  readonly code = 'EGRESS_REFUSED';
  constructor(message: string) {
    super(message);
    this.name = 'EgressError';
  }
}

const SPECIAL_HOST = 'the URL names a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';
const SPECIAL_ANSWER =
  'the host resolves to a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';

const IDLE_MS = 15_000;

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

/**
 * A keep-alive agent for a URL that a caller chose. Each new connection goes to an address that was checked in that
 * same look-up, so a name that changes its answer between check and use gains nothing. Throws EgressError at once where
 * `checkUrl` finds fault; a request fails with one where the name leads to a special-purpose address.
 */
export function guardedAgent(
  url: string,
  rules: EgressRules,
  options: { maxSockets?: number; resolve?: Resolve } = {},
): HttpAgent | HttpsAgent {
  const fault = checkUrl(url, rules);
  if (fault) throw new EgressError(fault);
  const agent: HttpAgent = keepAliveAgent(url, options.maxSockets);
  const lookup = checkedLookup(rules, options.resolve ?? resolveAll);
  const connect = agent.createConnection.bind(agent);

  agent.createConnection = (request, callback) => {
    const host = bareHost(request.host ?? request.hostname ?? '');
    // The look-up is never called for a literal address.
    if (isIP(host) && !mayReach(host, host, rules)) {
      process.nextTick(() => callback?.(new EgressError(SPECIAL_HOST), undefined as never));
      return undefined;
    }
    return connect({ ...request, lookup }, callback);
  };
  return agent;
}

/** A keep-alive agent for a URL that the vendor or the operator gave; nothing is checked. */
export function keepAliveAgent(url: string, maxSockets = 256): HttpAgent | HttpsAgent {
  // Idle connections are closed by us before the store closes them: a call sent at that very moment would be cut.
  const options = { keepAlive: true, maxSockets, timeout: IDLE_MS };
  return new URL(url).protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}

function checkedLookup(rules: EgressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, found) => {
      if (error) return callback(error, '');
      const wanted = found.filter((address) => !options.family || matchesFamily(address, options.family));
      const safe = wanted.filter(({ address }) => mayReach(hostname, address, rules));
      const [first] = safe;
      if (!first) return callback(new EgressError(SPECIAL_ANSWER), '');
      if (options.all) return callback(null, safe);
      callback(null, first.address, first.family);
    });
  };
}

function matchesFamily(address: LookupAddress, family: number | 'IPv4' | 'IPv6'): boolean {
  return address.family === (typeof family === 'number' ? family : Number(family.slice(-1)));
}

function resolveAll(hostname: string, callback: Parameters<Resolve>[1]): void {
  resolveHost(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));
}

function mayReach(host: string, address: string, rules: EgressRules): boolean {
  return isPublic(address) || isAllowed(address, rules) || isAllowed(host, rules);
}

function isPublic(text: string): boolean {
  // A zone (`fe80::1%eth0`) is only ever part of a link-local address.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

function isWithin(address: string, entry: string): boolean {
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
