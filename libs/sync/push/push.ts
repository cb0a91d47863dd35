import { performance } from 'node:perf_hooks';
import { unseal } from '../../crypto/seal.ts';
import { mayStillPush } from '../../store/orders/due.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import { noTrace, withSpan } from '../../tracing/trace.ts';
import type { EngineParts } from '../engine.ts';
import type { Failure, Lease, Plan } from '../order.ts';
import { sideBySide, withLimit } from './call-limit.ts';
import { logged, noCall, refusal } from './failure.ts';
import { beginPlan, planOrder } from './plan.ts';
import { forgetFormerSettings, isChangedSince, type OpenedSession } from '../sessions.ts';
import { conclude } from './conclude.ts';
import { sourceValues, type SourceValue } from '../../connector/source-values.ts';
import { removeLeftovers } from './remove.ts';
import { reserveNames, type CapacityFinder } from './reserve.ts';
import { isUnconfirmedCreate, recordGone } from './uncertainty.ts';
import { writeEntries } from './write.ts';

// At a fast store an order waits less than this for its turn.
const WAITED_MS = 400;

/**
 * Plans claimed orders of one destination and reserves their names. Never throws: every fault becomes the outcome of an
 * order.
 */
export async function preparePush(
  orders: WorkOrder[],
  parts: EngineParts,
  findCapacity: CapacityFinder,
): Promise<Plan[]> {
  const plans = orders.map(beginPlan);
  const planned = plans.filter((plan) => compareWithLedger(plan, parts));
  try {
    await reserveNames(planned, parts, findCapacity);
  } catch (error) {
    for (const plan of planned) {
      plan.failures.push(logged(error, parts));
      plan.isReserved = false;
      plan.writes = [];
    }
  }
  return plans;
}

/**
 * Pushes planned orders of one destination that go out together: one order, or all orders of one batch call. Never
 * throws: every fault becomes the outcome of an order.
 */
export async function push(plans: Plan[], lease: Lease, parts: EngineParts): Promise<OrderResult[]> {
  const attributes = { 'sealift.type': parts.destination.type, 'sealift.orders': plans.length };
  const results = await withSpan('push', { parent: lease.trace ?? noTrace, attributes }, () =>
    carryOut(plans, lease, parts),
  );
  return forgetFormerSettings(parts.context.db, results, plans[0]?.order.destination.revision ?? 0);
}

async function carryOut(
  plans: Plan[],
  { deadline, isPaused }: Lease,
  parts: EngineParts,
): Promise<OrderResult[]> {
  const startBy = deadline - parts.context.config.LEASE / 2;
  // If the store asked for a pause after the claim, the order is handed back without a call.
  const outOfTime = (): boolean => parts.draining() || isPaused() || performance.now() > startBy;
  const run = <Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    withLimit(Math.max(1, deadline - performance.now() - 1000), parts.stop, call);

  const opened = await openSession(plans, parts);
  if ('cause' in opened) return plans.map((plan) => concludeUnopened(plan, opened, parts));
  if (isChangedSince(plans[0]?.order, opened) || (await isCalledOff(plans, deadline, parts)))
    return plans.map((plan) => conclude({ ...plan, unfinished: true }, parts));

  const tools = { parts, session: opened.session, run, outOfTime };
  await writeEntries(plans, tools);
  const reduced = plans.filter((plan) => plan.isReserved && plan.leftover.length > 0);
  await sideBySide(reduced, (plan) => removeLeftovers(plan, tools));
  await parts.step('after-call');
  return plans.map((plan) => conclude(plan, parts));
}

// Returns false if the order has no plan: its value is not loaded yet, or cannot be read.
function compareWithLedger(plan: Plan, parts: EngineParts): boolean {
  try {
    const values = readSource(plan.order, parts);
    plan.unfinished = values === undefined;
    if (!values) return false;
    const { hashKey } = parts.context.installation;
    Object.assign(plan, planOrder(plan.order, values, { destination: parts.destination, hashKey }));
    return true;
  } catch (error) {
    // An unreadable source is not a deleted source, so nothing outside is touched.
    plan.failures.push(logged(error, parts));
    return false;
  }
}

// Returns undefined if the value is not loaded yet.
function readSource(order: WorkOrder, parts: EngineParts): SourceValue[] | undefined {
  const { source } = order;
  if (order.removing || !source) return [];
  if (!source.sealed) return undefined;
  const identity = `secret_versions/${source.secretId}/${source.secretVersion}`;
  const json = unseal(parts.context.keyring, source.sealed, identity).toString();
  return sourceValues(json, order.destination.granularity);
}

async function openSession([plan]: Plan[], parts: EngineParts): Promise<OpenedSession | Failure> {
  const destination = plan?.order.destination;
  if (!destination) return refusal('internal', 'no order');
  try {
    return await parts.sessions.get(destination.id, destination.settingsDigest);
  } catch (error) {
    return noCall(logged(error, parts));
  }
}

// If nothing must be outside and nothing is outside, the order succeeds without the store.
function concludeUnopened(plan: Plan, failure: Failure, parts: EngineParts): OrderResult {
  const isOutside = plan.leftover.some(
    (entry) => entry.owned || isUnconfirmedCreate(entry, parts.destination),
  );
  if (!plan.isReserved || plan.writes.length > 0 || isOutside) return conclude(plan, parts, failure);
  for (const entry of plan.leftover) recordGone(plan, entry, 'none', 0);
  return conclude(plan, parts);
}

// An order that waited for its turn may have been claimed before syncing was disabled or its destination deleted.
async function isCalledOff([plan]: Plan[], deadline: number, { context }: EngineParts): Promise<boolean> {
  const waitedMs = performance.now() - (deadline - context.config.LEASE);
  if (!plan || waitedMs < WAITED_MS) return false;
  return !(await mayStillPush(context.db, plan.order.destination.id).catch(() => false));
}
