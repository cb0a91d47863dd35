import { unseal } from '../../crypto/seal.ts';
import { sourceValues, type SourceValue } from '../../connector/source-values.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { Engine } from '../engine.ts';
import type { ComparedOrder, Plan } from '../order.ts';
import { toLoggedFailure } from './failure.ts';
import { beginPlan, planOrder } from './plan.ts';
import { reserveNames } from './reserve.ts';

/**
 * Plans claimed orders of one destination and reserves their names; one plan for each, in order. Never throws: every fault
 * becomes the outcome of an order.
 */
export async function preparePush(orders: WorkOrder[], engine: Engine): Promise<Plan[]> {
  const compared = orders.map((order) => compareWithLedger(order, engine));
  const reserved = await reserve(compared.filter(isCompared), engine);
  const plans = new Map(reserved.map((plan) => [plan.order, plan]));
  return compared.map((one) => (isCompared(one) ? (plans.get(one.order) ?? beginPlan(one.order)) : one));
}

async function reserve(compared: ComparedOrder[], engine: Engine): Promise<Plan[]> {
  try {
    return await reserveNames(compared, engine);
  } catch (error) {
    const failure = toLoggedFailure(error, engine);
    return compared.map(({ order }) => ({ ...beginPlan(order), outcomes: [{ failure }] }));
  }
}

function isCompared(one: ComparedOrder | Plan): one is ComparedOrder {
  return 'targets' in one;
}

/** Compares an order with its ledger. Returns an empty plan if the value is not loaded yet, or cannot be read. */
export function compareWithLedger(order: WorkOrder, engine: Engine): ComparedOrder | Plan {
  try {
    const values = readSource(order, engine);
    if (!values) return { ...beginPlan(order), outcomes: [{ isLeft: true }] };
    const { hashKey } = engine.context.installation;
    return { order, ...planOrder(order, values, { destination: engine.destination, hashKey }) };
  } catch (error) {
    // An unreadable source is not a deleted source, so nothing outside is touched.
    return { ...beginPlan(order), outcomes: [{ failure: toLoggedFailure(error, engine) }] };
  }
}

// Returns undefined if the value is not loaded yet.
function readSource(order: WorkOrder, engine: Engine): SourceValue[] | undefined {
  const { source } = order;
  if (order.removing || !source) return [];
  if (!source.sealed) return undefined;
  const identity = `secret_versions/${source.secretId}/${source.secretVersion}`;
  const json = unseal(engine.context.keyring, source.sealed, identity).toString();
  return sourceValues(json, order.destination.granularity);
}
