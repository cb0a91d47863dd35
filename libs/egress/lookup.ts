import { lookup as resolveHost, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { EgressError } from './guard.ts';

/** Finds every address of a host, in the order to try them; `node:dns` unless a test says otherwise. */
export type Resolve = (hostname: string, callback: Resolved) => void;

type Resolved = (error: Error | null, addresses: LookupAddress[]) => void;

/** The error if a host may not be called at an address; null if it may. */
export type Refuse = (hostname: string, address: string) => EgressError | null;

/**
 * A look-up that returns only the addresses that `refuse` allows. If it allows none, the look-up fails with the refusal.
 */
export function checkedLookup(refuse: Refuse, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolveTogether(resolve, hostname, (error, found) => {
      if (error) return callback(error, '');
      const wanted = found.filter((address) => !options.family || matchesFamily(address, options.family));
      const safe = wanted.filter(({ address }) => refuse(hostname, address) === null);
      const [first] = safe;
      if (!first) return callback(refuse(hostname, wanted[0]?.address ?? ''), '');
      if (options.all) return callback(null, safe);
      callback(null, first.address, first.family);
    });
  };
}

function matchesFamily(address: LookupAddress, family: number | 'IPv4' | 'IPv6'): boolean {
  return address.family === (typeof family === 'number' ? family : Number(family.slice(-1)));
}

const underWay = new WeakMap<Resolve, Map<string, Resolved[]>>();

// One look-up of a host runs at a time, for all callers that wait for it. The next caller starts a new one. The system's
// resolver has few threads for the whole process, and a host with dead name servers holds a thread until the look-up
// times out.
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
