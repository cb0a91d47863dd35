import { performance } from 'node:perf_hooks';
import type { Session } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import type { PushTools } from '../engine.ts';
import type { Failure, StepOutcome, PushProgress, Write } from '../order.ts';
import { callInLease, isOutOfTime } from './call-limit.ts';
import { blockage, interrupted, logged } from './failure.ts';
import { sameTags } from './plan.ts';
import { failedEntry, syncedEntry } from './uncertainty.ts';
import { isChangedOutside } from './verify.ts';
import { putEntry, writeEntry, type UnwrittenEntry } from './write-entry.ts';

const REFUSED = 'credentials_refused';
// Sessions that were tried with one read since their destination was changed. A store that hangs is not asked for each entry.
const tried = new WeakSet<Session>();

/**
 * Returns the write with what its connector and its store say of the entry. If a person asked to try again, the ledger's
 * word is not enough: an entry that is gone or was changed outside is written again. After a change of the destination,
 * one entry is read with its session: otherwise refused credentials would show only when a value changes. Never throws.
 */
export async function lookAtUnchanged(
  write: Write,
  progress: PushProgress,
  tools: PushTools,
): Promise<Write | StepOutcome> {
  const { order, entry } = write;
  const key = { name: entry.externalName, reference: entry.reference };
  if (write.valueChanged) return write;
  if (tools.session.isOutdated?.(key)) return { ...write, valueChanged: true };
  const tries = order.trigger?.cause === 'destination' && !tried.has(tools.session);
  if (!(order.looks || tries) || !entry.owned) return write;
  const blocked = blockage(progress, tools);
  if (blocked) return blockedWrite(write, blocked, tools);
  const started = performance.now();
  tried.add(tools.session);
  try {
    const found = await callInLease(tools, (signal) => tools.session.read(key, signal));
    if (!order.looks || !isChangedOutside(write, found, tools.parts)) return write;
    // Whose it is now must be asked again.
    return { ...write, valueChanged: true, entry: { ...entry, ownerSeenMsAgo: null } };
  } catch (error) {
    const failure = logged(error, tools.parts);
    // Who only tries the credentials learns nothing of the entry, and may lack the right to read it.
    if (!order.looks && failure.cause.code !== REFUSED) return write;
    if (failure.cause.code === REFUSED) tried.delete(tools.session);
    return failedWrite(write, failure, performance.now() - started, tools);
  }
}

/**
 * Splits writes into chunks that take one call each. `alone`: those that need a call of their own: all writes to a store
 * without batches, and unchanged values.
 */
export function inChunks(writes: Write[], tools: PushTools): { chunks: Write[][]; alone: Write[] } {
  const size = tools.parts.destination.batchSize ?? 1;
  if (!tools.session.putMany || size < 2) return { chunks: [], alone: writes };
  const suited = writes.filter((write) => write.valueChanged);
  const chunks: Write[][] = [];
  for (let start = 0; start < suited.length; start += size) chunks.push(suited.slice(start, start + size));
  return { chunks, alone: writes.filter((write) => !write.valueChanged) };
}

/**
 * Writes values together in one call. Returns the writes whose names turned out to be taken or gone: they need a call of
 * their own. Never throws.
 */
export async function writeChunk(chunk: Write[], tools: PushTools): Promise<(Write | StepOutcome)[]> {
  const { parts, session } = tools;
  if (isOutOfTime(tools)) return chunk.map(() => ({ isLeft: true }));
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const entries = chunk.map((write) => putEntry(write, write.entry.owned ? 'present' : 'absent'));
  try {
    const results = await callInLease(
      tools,
      (signal) => session.putMany?.(entries, signal) ?? Promise.resolve([]),
    );
    return chunk.map((write, index): Write | StepOutcome => {
      const result = results[index] ?? new Error('a batch returned too few results');
      if (result instanceof ConnectorError && (result.kind === 'exists' || result.kind === 'missing'))
        return write;
      if (result instanceof Error) return failedWrite(write, logged(result, parts), elapsed(), tools);
      const { owned } = write.entry;
      const action = owned ? ('update' as const) : ('create' as const);
      const done = { action, ownerSeen: !owned, durationMs: elapsed(), reference: result.reference };
      return syncedEntry(write, done, parts.context.config.LEASE);
    });
  } catch (error) {
    return chunk.map((write) => failedWrite(write, logged(error, parts), elapsed(), tools));
  }
}

/** Writes one value. Never throws. */
export async function writeOne(write: Write, progress: PushProgress, tools: PushTools): Promise<StepOutcome> {
  const { LEASE: leaseMs } = tools.parts.context.config;
  const blocked = isUnchanged(write, tools) ? undefined : blockage(progress, tools);
  if (blocked) return blockedWrite(write, blocked, tools);
  const started = performance.now();
  const written = await writeEntry(write, tools);
  const durationMs = performance.now() - started;
  return 'error' in written
    ? failedWrite(write, logged(written.error, tools.parts), durationMs, tools, written)
    : syncedEntry(write, { ...written, durationMs }, leaseMs);
}

// Whether the ledger says that the entry already has its value and tags.
function isUnchanged({ valueChanged, entry, tags }: Write, { session }: PushTools): boolean {
  return !valueChanged && (!session.retag || sameTags(entry.writtenTags, tags));
}

function blockedWrite(write: Write, blocked: Failure | 'later', tools: PushTools): StepOutcome {
  return blocked === 'later' ? { isLeft: true } : failedWrite(write, blocked, 0, tools);
}

// A write that certainly had no effect leaves the ledger as it was.
function failedWrite(
  write: Write,
  failure: Failure,
  durationMs: number,
  tools: PushTools,
  { left, mayBeOurs }: Pick<UnwrittenEntry, 'left' | 'mayBeOurs'> = {
    left: write.entry,
    mayBeOurs: write.entry.owned,
  },
): StepOutcome {
  const entry = { ...left, owned: failure.ambiguous ? mayBeOurs : left.owned };
  const action = write.entry.owned ? ('update' as const) : ('create' as const);
  const outcome = failedEntry(write.order, entry, failure, { subKey: write.subKey, action, durationMs });
  return { ...outcome, isLeft: interrupted(failure, tools) };
}
