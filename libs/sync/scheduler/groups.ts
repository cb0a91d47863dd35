import type { WorkOrder } from '../../store/orders/order.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Lane } from './lanes.ts';
import type { Prepare } from '../push/prepare.ts';

/** Claimed orders that are pushed together. */
export type Group = {
  lane: Lane;
  orders: WorkOrder[];
  prepare: Prepare;
  /** performance.now() when their leases end. */
  deadline: number;
  trace: Trace | undefined;
  /** performance.now() before which a paced destination is not written to. */
  startAt: number;
};

/** The orders of each destination, in the order in which they were claimed. */
export function groupByDestination(orders: WorkOrder[]): Map<number, WorkOrder[]> {
  const groups = new Map<number, WorkOrder[]>();
  for (const order of orders) {
    const group = groups.get(order.destination.id);
    if (group) group.push(order);
    else groups.set(order.destination.id, [order]);
  }
  return groups;
}
