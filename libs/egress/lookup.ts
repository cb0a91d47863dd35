import { lookup as resolveHost, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { EgressError } from './guard.ts';

/** Every address of a host, in the order to be tried; `node:dns` unless a test says otherwise. */
export type Resolve = (hostname: string, callback: Resolved) => void;

type Resolved = (error: Error | null, addresses: LookupAddress[]) => void;

/** Why a host may not be called at an address; null where it may. */
export type Refuse = (hostname: string, address: string) => EgressError | null;

/** A look-up that gives only addresses that are not refused; it fails with the refusal where no other is left. */
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
