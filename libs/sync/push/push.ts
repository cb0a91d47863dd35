import { performance } from 'node:perf_hooks';
import type { OrderResult } from '../../store/orders/result.ts';
import { noTrace, withSpan } from '../../tracing/trace.ts';
import type { Engine, PushRun } from '../engine.ts';
import type { Failure, Lease, StepOutcome, Plan, PushProgress, Write } from '../order.ts';
import { forgetFormerSettings, isChangedSince, type OpenedSession } from '../sessions.ts';
import { sideBySide } from './call-limit.ts';
import { conclude } from './conclude.ts';
import { toLoggedFailure, noCall, refusal } from './failure.ts';
import { goneEntry } from './outcomes.ts';
import { decideLeftovers, removeEntry } from './remove.ts';
import { afterPredecessor, inTurns } from './succession.ts';
import { isUnconfirmedCreate } from './uncertainty.ts';
import { inChunks, lookAtUnchanged, writeChunk, writeOne } from './write.ts';

// At a fast store an order waits less than this for its turn, so only the orders of a slow one cost a question.
const WAITED_MS = 400;

/**
 * Pushes planned orders of one destination that go out together: one order, or all orders of one batch call. Never
 * throws: every fault becomes the outcome of an order.
 */
export async function push(plans: Plan[], lease: Lease, engine: Engine): Promise<OrderResult[]> {
  const attributes = { 'sealift.type': engine.destination.type, 'sealift.orders': plans.length };
  const results = await withSpan('push', { parent: lease.trace ?? noTrace, attributes }, () =>
    carryOut(plans, lease, engine),
  );
  const revision = plans[0]?.order.destination.revision ?? 0;
  const present = await forgetFormerSettings(engine.context.db, results, revision);
  await engine.checkpoint('before-store');
  return present;
}

async function carryOut(plans: Plan[], lease: Lease, engine: Engine): Promise<OrderResult[]> {
  const opened = await openSession(plans, engine);
  if ('cause' in opened) return plans.map((plan) => concludeUnopened(plan, opened, engine));
  if (isChangedSince(plans[0]?.order, opened) || (await isCalledOff(plans, lease, engine)))
    return plans.map((plan) => conclude({ plan, outcomes: [...plan.outcomes, { isLeft: true }] }, engine));

  const run = { engine, session: opened.session, lease };
  const collected = new Map(plans.map((plan) => [plan.order.id, { plan, outcomes: [...plan.outcomes] }]));
  await writeValues(collected, run);
  await sideBySide([...collected.values()], (progress) => removeLeftovers(progress, run));
  await engine.checkpoint('after-call');
  return [...collected.values()].map((progress) => conclude(progress, engine));
}

// What the steps came to, by the id of the order. A step reads its own order's outcomes; only this file adds to them.
type Collected = Map<number, Collecting>;

type Collecting = { plan: Plan; outcomes: StepOutcome[] };

async function writeValues(collected: Collected, run: PushRun): Promise<void> {
  const all = [...collected.values()].flatMap(({ plan }) => plan.writes);
  const looked = await eachWrite(all, collected, (write, progress) => lookAtUnchanged(write, progress, run));
  for (const turn of inTurns(looked)) {
    const ready = await eachWrite(turn.writes, collected, (write, progress) =>
      afterPredecessor(write, turn, progress, run),
    );
    const { chunks, alone } = inChunks(ready, run);
    for (const chunk of chunks) alone.push(...collect(chunk, await writeChunk(chunk, run), collected));
    await eachWrite(alone, collected, (write, progress) => writeOne(write, progress, run));
  }
}

// Makes a step of each write, several at a time. Returns the writes that need a further step.
async function eachWrite(
  writes: Write[],
  collected: Collected,
  step: (write: Write, progress: PushProgress) => Promise<Write | StepOutcome>,
): Promise<Write[]> {
  const left = await sideBySide(writes, async (write) => {
    const progress = collected.get(write.order.id);
    return progress ? collect([write], [await step(write, progress)], collected) : [];
  });
  return left.flat();
}

// Adds the outcomes to those of their orders. Returns the writes that have none yet.
function collect(writes: Write[], answers: (Write | StepOutcome)[], collected: Collected): Write[] {
  return answers.flatMap((answer, index) => {
    if ('token' in answer) return [answer];
    const order = writes[index]?.order;
    if (order) collected.get(order.id)?.outcomes.push(answer);
    return [];
  });
}

async function removeLeftovers(progress: Collecting, run: PushRun): Promise<void> {
  if (!progress.plan.isReserved) return;
  for (const { entry, outcome } of decideLeftovers(progress, run.engine.destination))
    progress.outcomes.push(outcome ?? (await removeEntry(entry, progress, run)));
}

async function openSession([plan]: Plan[], engine: Engine): Promise<OpenedSession | Failure> {
  const destination = plan?.order.destination;
  if (!destination) return refusal('internal', 'no order');
  try {
    return await engine.sessions.get(destination.id, destination.settingsDigest);
  } catch (error) {
    return noCall(toLoggedFailure(error, engine));
  }
}

// If nothing must be outside and nothing is outside, the order succeeds without the store.
function concludeUnopened(plan: Plan, failure: Failure, engine: Engine): OrderResult {
  const { order, leftover, outcomes } = plan;
  const isOutside = leftover.some((entry) => entry.owned || isUnconfirmedCreate(entry, engine.destination));
  if (!plan.isReserved || plan.writes.length > 0 || isOutside)
    return conclude({ plan, outcomes }, engine, failure);
  const gone = leftover.map((entry) => goneEntry(order, entry));
  return conclude({ plan, outcomes: [...outcomes, ...gone] }, engine);
}

// What holds its destination back may have begun while an order waited for its turn.
async function isCalledOff(
  [plan]: Plan[],
  { deadline }: Lease,
  { context, mayStillPush }: Engine,
): Promise<boolean> {
  const waitedMs = performance.now() - (deadline - context.config.LEASE);
  if (!plan || waitedMs < WAITED_MS) return false;
  return !(await mayStillPush(plan.order.destination.id).catch(() => false));
}
