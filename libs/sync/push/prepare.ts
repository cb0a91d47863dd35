import { unseal } from '../../crypto/seal.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import { assignEntries, type AssignedPlan } from './assign.ts';
import { beginAttempt, recordFailed, type OrderAttempt } from './attempt.ts';
import { refusal } from './failure.ts';
import type { EngineParts } from '../parts.ts';
import { planOrder } from './plan.ts';
import { logged } from './task.ts';
import { sourceValues, type SourceValue } from './values.ts';

/** An order's attempt, with its plan where there could be one. */
export type Preparation = { attempt: OrderAttempt; plan: AssignedPlan | undefined };

/** Plans orders of one destination. Never throws: every fault becomes the outcome of an order. */
export async function prepareOrders(orders: WorkOrder[], parts: EngineParts): Promise<Preparation[]> {
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
