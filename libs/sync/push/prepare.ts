import { unseal } from '../../crypto/seal.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import { assignEntries, type AssignedPlan } from './assign.ts';
import { beginAttempt, recordFailed, type OrderAttempt } from './attempt.ts';
import { refusal } from './failure.ts';
import type { EngineParts } from '../parts.ts';
import { planOrder } from './plan.ts';
import { logged } from './task.ts';
import { sourceValues, type SourceValue } from './values.ts';

// Planned one right after the other, orders find code and keys still at hand, and their new names take one statement.
const TOGETHER = 32;

/** An order's attempt, with its plan where there could be one. */
export type Preparation = { attempt: OrderAttempt; plan: AssignedPlan | undefined };

/** What a group of orders asks for when it begins. */
export type Prepare = () => Promise<Preparation[]>;

/** Splits orders into groups. Those of several groups are planned together, when the first of them begins. */
export function prepareInGroups(
  orders: WorkOrder[],
  groupSize: number,
  parts: EngineParts,
): { orders: WorkOrder[]; prepare: Prepare }[] {
  const groups: { orders: WorkOrder[]; prepare: Prepare }[] = [];
  const step = Math.max(groupSize, TOGETHER - (TOGETHER % groupSize));
  for (let start = 0; start < orders.length; start += step) {
    const together = orders.slice(start, start + step);
    let preparing: Promise<Preparation[]> | undefined;
    for (let from = 0; from < together.length; from += groupSize) {
      const prepare = async (): Promise<Preparation[]> => {
        preparing ??= prepareOrders(together, parts);
        return (await preparing).slice(from, from + groupSize);
      };
      groups.push({ orders: together.slice(from, from + groupSize), prepare });
    }
  }
  return groups;
}

// Never throws: every fault becomes the outcome of an order.
async function prepareOrders(orders: WorkOrder[], parts: EngineParts): Promise<Preparation[]> {
  const attempts = orders.map(beginAttempt);
  const planned = attempts.flatMap((attempt) => {
    try {
      const { order } = attempt;
      const values = readSource(order, parts);
      attempt.unfinished = values === undefined;
      if (!values) return [];
      const plan = planOrder(order, values, {
        destination: parts.destination,
        hashKey: parts.context.installation.hashKey,
      });
      return [{ attempt, plan }];
    } catch (error) {
      // A source that cannot be read is not a source that is gone: nothing outside is touched.
      attempt.failures.push(logged(error, parts));
      return [];
    }
  });
  const plans = new Map<OrderAttempt, AssignedPlan>();
  try {
    for (const plan of await assignEntries(planned, parts)) {
      noteRefused(plan);
      plans.set(plan.attempt, plan);
    }
  } catch (error) {
    for (const { attempt } of planned) attempt.failures.push(logged(error, parts));
  }
  return attempts.map((attempt) => ({ attempt, plan: plans.get(attempt) }));
}

function noteRefused({ attempt, refused }: AssignedPlan): void {
  for (const { entry, subKey, code, message, retry } of refused) {
    recordFailed(attempt, entry, subKey, refusal(code, message, retry), 'none', 0);
  }
}

// Undefined where the value has yet to be loaded.
function readSource(order: WorkOrder, parts: EngineParts): SourceValue[] | undefined {
  const { source } = order;
  if (order.removing || !source) return [];
  if (!source.sealed) return undefined;
  const identity = `secret_versions/${source.secretId}/${source.version}`;
  const json = unseal(parts.context.keyring, source.sealed, identity).toString();
  return sourceValues(json, order.destination.granularity);
}
