import { lookup as resolveHost, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, Pool, type Dispatcher } from 'undici';
import { checkUrl, EgressError, mayReach, type EgressRules } from './guard.ts';

/** Kept connections that calls go over. */
export type EgressAgent = Dispatcher;

/** Every address of a host, in the order to be tried; `node:dns` unless a test says otherwise. */
export type Resolve = (hostname: string, callback: Resolved) => void;

type Resolved = (error: Error | null, addresses: LookupAddress[]) => void;

const SPECIAL_ANSWER =
  'the host resolves to a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';

// Idle connections are closed by us before the store closes them: a call sent at that very moment would be cut. Whoever
// calls limits the time of a whole call, so parts of it have no limits of their own.
const KEEP_ALIVE = {
  keepAliveTimeout: 15_000,
  keepAliveMaxTimeout: 15_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/**
 * A keep-alive agent for a URL that a caller chose, and its origin alone. Each new connection goes to an address that was
 * checked in that same look-up, so a name that changes its answer between check and use gains nothing. Throws EgressError
 * at once where `checkUrl` finds fault; a request fails with one where the name leads to a special-purpose address.
 */
export function guardedAgent(
  url: string,
  rules: EgressRules,
  options: { maxSockets?: number; resolve?: Resolve } = {},
): EgressAgent {
  const fault = checkUrl(url, rules);
  if (fault) throw new EgressError(fault);
  // A literal address is not looked up: `checkUrl` has judged it.
  const lookup = checkedLookup(rules, options.resolve ?? resolveAll);
  return openPool(url, options.maxSockets, { lookup });
}

/** A keep-alive agent for a URL that the vendor or the operator gave, and its origin alone; nothing is checked. */
export function keepAliveAgent(url: string, maxSockets = 256, tls: { ca?: string[] } = {}): EgressAgent {
  return openPool(url, maxSockets, tls);
}

/** A keep-alive agent for any origin of the vendor, with as many connections as there are calls; nothing is checked. */
export function sharedAgent(): EgressAgent {
  return new Agent(KEEP_ALIVE);
}

function openPool(url: string, maxSockets = 256, connect: { lookup?: LookupFunction; ca?: string[] }): Pool {
  return new Pool(new URL(url).origin, { ...KEEP_ALIVE, connections: maxSockets, connect });
}

function checkedLookup(rules: EgressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolveTogether(resolve, hostname, (error, found) => {
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

const underWay = new WeakMap<Resolve, Map<string, Resolved[]>>();

// One look-up of a host at a time, for all who wait for it; the next one asks anew. The system's resolver has few threads
// for the whole process, and a host whose name servers are dead holds one for as long as nobody answers.
function resolveTogether(resolve: Resolve, hostname: string, callback: Resolved): void {
  const lookups = underWay.get(resolve) ?? new Map<string, Resolved[]>();
  underWay.set(resolve, lookups);
  const waiting = lookups.get(hostname);
  if (waiting) return void waiting.push(callback);
  const callbacks = [callback];
  lookups.set(hostname, callbacks);
  resolve(hostname, (error, addresses) => {
    lookups.delete(hostname);
    for (const settle of callbacks) settle(error, addresses);
  });
}

function resolveAll(hostname: string, callback: Resolved): void {
  resolveHost(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));
}
