import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault as StoreFault } from '../../sandbox/contract.ts';
import type { Store } from '../checker.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

const HOLD_MS = 1200;
const MOST_WAIT_MS = 15_000;
const ENOUGH_STORES = 2;

/** The faults of stores: fail, throttle, hang, cut, delay, answer nonsense or from a stale copy, and recover. */
export const storeFaults: Fault[] = [
  during('stores fail', { kind: 'error' }),
  during('stores throttle', { kind: 'throttle', retryAfterSeconds: 1 }, ['cloud1-sm']),
  during('stores hang', { kind: 'hang' }),
  during('stores hang after they took the change', { kind: 'hang-after' }),
  during('stores cut the connection', { kind: 'cut' }),
  during('stores cut the connection after they took the change', { kind: 'cut-after' }),
  // Shorter than half a lease: the calls of a dead worker arrive before another worker claims its row.
  during('stores are slow', { kind: 'slow', delayMs: 400 }),
  {
    name: 'stores carry out writes after a lease',
    strike: async ({ stores, leaseMs }: World) => {
      const from = Date.now();
      // No longer than that: a call that is given up takes effect within a lease, or never.
      const holdsLong = ({ fake, kind }: Store): boolean =>
        fake.calls().some(({ at, operation, status }) => {
          const isHeld = status === 0 && at >= from && Date.now() - at > leaseMs;
          return isHeld && kind.writes.includes(operation);
        });
      const holding = new Set(stores.values());
      for (const { fake, kind } of holding) fake.addFault({ kind: 'held', operation: kind.writes });
      // On a slow machine, writes come late.
      while (stores.size - holding.size < ENOUGH_STORES && Date.now() - from < leaseMs + MOST_WAIT_MS) {
        await sleep(50);
        for (const store of [...holding].filter(holdsLong)) {
          store.fake.clearFaults();
          holding.delete(store);
        }
      }
      for (const { fake } of holding) fake.clearFaults();
    },
  },
  during('stores answer rubbish', { kind: 'garbage' }),
  during('stores answer from a stale copy', { kind: 'stale-read' }),
];

function during(name: string, fault: StoreFault, types?: string[]): Fault {
  return {
    name,
    strike: async ({ stores }: World) => {
      const struck = [...stores.values()].filter(({ type }) => types?.includes(type) ?? true);
      for (const { fake } of struck) fake.addFault(fault);
      await sleep(HOLD_MS);
      for (const { fake } of struck) fake.clearFaults();
    },
  };
}
