import type { Fault } from '../fault.ts';

/** Longer than anything claimed before may take: from then on no store may take a write. */
export const longPause: Fault = {
  name: 'syncing disabled for longer than a lease',
  strike: ({ syncing, leaseMs }) => syncing.pause(leaseMs + 2500),
};

/** What people do to a running system. */
export const operatorFaults: Fault[] = [longPause];
