import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { holdEntry } from '../../store/orders/reserve.ts';
import { mayStillPush } from '../../store/orders/sweep.ts';
import type { LedgerEntry } from '../../store/orders/order.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import type { Session } from '../../connector/contract.ts';
import { recordGone, recordSynced, type OrderAttempt } from './attempt.ts';
import { writeBatch } from './batch.ts';
import { concludeAttempt } from './conclude.ts';
import { isDoubtful } from './doubtful.ts';
import { noCall, refusal, type Failure } from './failure.ts';
import { withLimit } from '../limit.ts';
import type { Wanted } from './assign.ts';
import type { Preparation } from './prepare.ts';
import type { Lease } from '../scheduler/scheduler.ts';
import { forgetFormerSettings } from '../sessions/former-settings.ts';
import { noTrace, withSpan } from '../../tracing/trace.ts';
import type { EngineParts } from '../parts.ts';
import { removeLeftovers } from './remove.ts';
import type { Opened } from '../sessions/sessions.ts';
import {
  blockage,
  isUnchanged,
  failWrite,
  logged,
  type Prepared,
  type PushTask,
  type PushTools,
} from './task.ts';
import { isHeldElsewhere } from './shared-entry.ts';
import { inTurns, withoutWaiting } from './succession.ts';
import { writeEntry } from './write-entry.ts';

// Entries of one order that are written side by side.
const WIDTH = 8;
// Longer than what a quick store has wait for its turn.
const WAITED_MS = 400;

/**
 * Pushes orders of one destination that belong together: all of one call to a batching store, else one. Never throws:
 * every fault becomes the outcome of an order.
 */
export async function pushOrders(
  preparations: Preparation[],
  lease: Lease,
  parts: EngineParts,
): Promise<OrderResult[]> {
  const attributes = { 'sealift.type': parts.destination.type, 'sealift.orders': preparations.length };
  const results = await withSpan('push', { parent: lease.trace ?? noTrace, attributes }, () =>
    carryOut(preparations, lease, parts),
  );
  const revision = preparations[0]?.attempt.order.destination.revision ?? 0;
  return forgetFormerSettings(parts.context.db, results, revision);
}

async function carryOut(
  preparations: Preparation[],
  { deadline, isPaused }: Lease,
  parts: EngineParts,
): Promise<OrderResult[]> {
  const startBy = deadline - parts.context.config.LEASE / 2;
  // What was claimed before the store asked for a pause is handed back without a call.
  const outOfTime = (): boolean => parts.draining() || isPaused() || performance.now() > startBy;
  const run = <Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    withLimit(Math.max(1, deadline - performance.now() - 1000), parts.stop, call);

  const attempts = preparations.map(({ attempt }) => attempt);
  const prepared = preparations.flatMap(({ plan }) => plan ?? []);
  const opened = await openSession(attempts, parts);
  if ('cause' in opened) {
    const ended = new Set(prepared.filter((item) => isAllInside(item, parts)).map(forgetLeftovers));
    return attempts.map((attempt) =>
      concludeAttempt(attempt, parts, ended.has(attempt) ? undefined : opened),
    );
  }
  const { session } = opened;
  // Changed since they were claimed, the destination may lead elsewhere, where the ledger they were planned by means nothing.
  const isOutdated = opened.digest !== attempts[0]?.order.destination.settingsDigest;
  if (isOutdated || (await isCalledOff(attempts, deadline, parts)))
    return attempts.map((attempt) => concludeAttempt({ ...attempt, unfinished: true }, parts));

  const tasks = prepared.flatMap((item) =>
    item.wanted.map((wanted) => createTask(item, wanted, session, parts)),
  );
  const tools = { parts, session, run, outOfTime };
  for (const turn of inTurns(tasks)) {
    const left = await writeBatch(await withoutWaiting(turn, tools), tools);
    await pLimit(WIDTH).map(left, (task) => writeOne(task, tools));
  }
  const reduced = prepared.filter(({ leftover }) => leftover.length > 0);
  await pLimit(WIDTH).map(reduced, (item) => removeLeftovers(item, tools));
  await parts.step('after-call');
  return attempts.map((attempt) => concludeAttempt(attempt, parts));
}

// What waited for its turn may have been claimed before syncing was disabled, or its destination deleted.
async function isCalledOff(
  [attempt]: OrderAttempt[],
  deadline: number,
  { context }: EngineParts,
): Promise<boolean> {
  const waitedMs = performance.now() - (deadline - context.config.LEASE);
  if (!attempt || waitedMs < WAITED_MS) return false;
  return !(await mayStillPush(context.db, attempt.order.destination.id).catch(() => false));
}

async function openSession(attempts: OrderAttempt[], parts: EngineParts): Promise<Opened | Failure> {
  const destination = attempts[0]?.order.destination;
  if (!destination) return refusal('internal', 'no order');
  try {
    return await parts.sessions.get(destination.id, destination.settingsDigest);
  } catch (error) {
    return noCall(logged(error, parts));
  }
}

// Nothing is to be outside, and nothing is: no store is needed for that.
function isAllInside({ wanted, leftover }: Prepared, parts: EngineParts): boolean {
  return wanted.length === 0 && leftover.every((entry) => !entry.held && !isDoubtful(entry, { parts }));
}

function forgetLeftovers({ attempt, leftover }: Prepared): OrderAttempt {
  for (const entry of leftover) recordGone(attempt, entry, 'none', 0);
  return attempt;
}

function createTask(prepared: Prepared, wanted: Wanted, session: Session, parts: EngineParts): PushTask {
  const { order } = prepared.attempt;
  // A copy: whether the ledger holds the entry changes while it is written.
  const entry = { ...wanted.entry };
  const outdated = session.isOutdated?.({ name: entry.externalName, reference: entry.reference }) ?? false;
  return {
    prepared,
    wanted,
    held: entry.held,
    task: {
      entry,
      value: wanted.value,
      valueChanged: !entry.held || outdated || entry.valuePrint !== wanted.print,
      tags: parts.destination.tags ? order.destination.customTags : {},
      token: wanted.token,
      options: order.destination,
    },
  };
}

/** Writes one entry and records what came of it. */
export async function writeOne(item: PushTask, tools: PushTools): Promise<void> {
  const { prepared, wanted, task, held } = item;
  const { attempt } = prepared;
  if (!isUnchanged(item, tools.session)) {
    const blocked = blockage(attempt, tools);
    if (blocked === 'later') return;
    if (blocked) return failWrite(item, held, blocked, 0, tools);
  }
  const started = performance.now();
  const hold = async (entry: LedgerEntry): Promise<void> => {
    await holdEntry(tools.parts.context.db, entry.id);
    task.entry.held = true;
  };
  const isShared = (reference: string | null): Promise<boolean> =>
    isHeldElsewhere({ destinationId: task.options.id, entry: task.entry, reference }, tools.parts);
  const { parts, session } = tools;
  try {
    const outcome = await tools.run((signal) =>
      writeEntry(task, { destination: parts.destination, session, signal, hold, isShared }),
    );
    const durationMs = performance.now() - started;
    recordSynced(attempt, wanted, { tags: task.tags, durationMs, ...outcome }, parts.context.config.LEASE);
  } catch (error) {
    failWrite(item, held, logged(error, tools.parts), performance.now() - started, tools);
  }
}
