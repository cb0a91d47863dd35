import type { Fault } from '../fault.ts';

/** Longer than anything that was claimed before may take: after that, no store may accept a write. */
export const longPause: Fault = {
  name: 'syncing disabled for longer than a lease',
  strike: ({ syncing, leaseMs }) => syncing.pause(leaseMs + 2500),
};

/** The actions of people on a running system. */
export const operatorFaults: Fault[] = [longPause];
