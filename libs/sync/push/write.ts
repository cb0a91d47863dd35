import { performance } from 'node:perf_hooks';
import type { Found, Session } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import type { PushRun } from '../engine.ts';
import type { Failure, StepOutcome, PushProgress, Write } from '../order.ts';
import { callInLease, isOutOfTime } from './call-limit.ts';
import { fingerprintOf, isChangedOutside, isUnseen } from './drift.ts';
import { blockage, isInterruption, toLoggedFailure, noCall } from './failure.ts';
import { driftedEntry, failedEntry, leftEntry, lineOf, NO_ENTRY, syncedEntry, untried } from './outcomes.ts';
import { decisionAbout, isAnother } from './ownership.ts';
import { sameTags } from './plan.ts';
import { confirmsInMs } from './uncertainty.ts';
import { entryKeyOf, putEntry, updateOf, writeEntry, type UnwrittenEntry } from './write-entry.ts';

const REFUSED = 'credentials_refused';
const UNREADABLE = 'permission_missing';
// The read with which a session was tried since its destination was changed, or a push with refused credentials: whether the
// store refuses them. A store that hangs is not asked for each entry, and nothing counts as in sync before it has answered.
const trials = new WeakMap<Session | PushRun, Promise<Failure | null>>();

/**
 * Returns the write with what its connector and its store say of the entry. If a person asked to try again, the ledger's
 * word is not enough: an entry that is gone or was changed outside is written again. With `onlySeen`, a change that nobody
 * has seen yet stays instead. After a change of the destination one entry is read with its session, and while its credentials
 * are refused one in each push: otherwise it would show only when a value changes whether the store accepts them. Never throws.
 */
export async function lookAtUnchanged(
  write: Write,
  progress: PushProgress,
  run: PushRun,
): Promise<Write | StepOutcome> {
  const { order, entry } = write;
  if (write.valueChanged && !isRepair(write)) return write;
  if (run.session.isOutdated?.(entryKeyOf(write))) return { ...write, valueChanged: true };
  const isRefused = wasRefused(write);
  const tries = isRefused || order.trigger?.cause === 'destination';
  const isLookedAt = looksAt(write);
  if (!(isLookedAt || tries) || !entry.owned) return write;
  const once = isRefused ? run : run.session;
  const trial = isLookedAt ? undefined : trials.get(once);
  if (trial) {
    const refusal = await trial;
    return refusal ? blockedWrite(write, noCall(refusal), run) : write;
  }
  const blocked = blockage(progress, run);
  if (blocked) return blockedWrite(write, blocked, run);
  const looking = look(write, run);
  trials.set(once, looking.then(refusalOf));
  const looked = await looking;
  // It is tried again: somebody may mend it outside.
  if (refusalOf(looked)) trials.delete(once);
  return looked;
}

// Whether a person asked for an attempt that reads the entry in the store.
function looksAt({ order, subKey }: Write): boolean {
  return order.looks === true && (order.aloneKeys?.includes(subKey) ?? true);
}

// Whether the write brings nothing new, and only replaces what somebody is known to have made of the entry.
function isRepair({ order, entry }: Write): boolean {
  return order.onlySeen === true && isSeenDrift(entry) && entry.syncedVersion === order.source?.secretVersion;
}

// Whether the change or the deletion that it would undo is still there, and to be left. A store without values does not tell
// that a write which failed has undone it.
function isLeft(
  { order, entry, fingerprint: wanted }: Write,
  found: Found | null,
  print: string | null,
): boolean {
  if (!order.withdrawal) return false;
  return found ? entry.foreignFingerprint !== null && print !== wanted : isSeenDrift(entry);
}

function isSeenDrift({ foreignFingerprint, isGone }: Write['entry']): boolean {
  return foreignFingerprint !== null || isGone;
}

async function look(write: Write, run: PushRun): Promise<Write | StepOutcome> {
  const { order, entry } = write;
  const started = performance.now();
  try {
    const found = await callInLease(run, (signal) => run.session.read(entryKeyOf(write), signal));
    const value = found?.value ?? null;
    const print = value === null ? null : fingerprintOf({ associationId: order.id }, value, run.engine);
    const drifted = () => ({
      ...driftedEntry(write, {
        code: found ? 'changed_outside' : 'gone_outside',
        found: print,
        durationMs: performance.now() - started,
        ...(found && isAnother(found, { ...run, reference: entry.reference }) ? { foreign: true } : {}),
      }),
      isAccepted: true,
    });
    if (isLeft(write, found, print)) return drifted();
    if (!looksAt(write) || !isChangedOutside(write, found, run.engine))
      return { ...write, isAccepted: wasRefused(write) };
    if (order.onlySeen && found && isUnseen(write, print)) return drifted();
    // Whose it is now must be asked again.
    const foreignFingerprint = found ? '' : null;
    return { ...write, valueChanged: true, entry: { ...entry, ownerSeenMsAgo: null, foreignFingerprint } };
  } catch (error) {
    const failure = toLoggedFailure(error, run.engine);
    // Who only tries the credentials learns nothing of the entry, and may lack the right to read it.
    const isStillRefused = failure.cause.code === REFUSED || (wasRefused(write) && !isOfEntry(failure));
    const isAccepted = wasRefused(write);
    if (!looksAt(write) && !isStillRefused) return { ...write, isAccepted };
    // Credentials that may only write can still bring the entry to its value.
    if (failure.cause.code === UNREADABLE) return { ...write, valueChanged: true, isAccepted };
    return failedLook(write, failure, performance.now() - started, run);
  }
}

// The history tells of a read as a read. Which entry was read to try the credentials does not matter. Whatever became of a
// read, nothing was written, so the next attempt looks again.
function failedLook(write: Write, failed: Failure, durationMs: number, run: PushRun): StepOutcome {
  const { order, entry, subKey } = write;
  const failure = { ...failed, ambiguous: false, mayLandLate: false };
  const { cause } = failure;
  const tried = { outcome: cause.class, cause, durationMs };
  const attempt = looksAt(write)
    ? lineOf(order, { ...entry, subKey }, { ...tried, action: 'look' })
    : lineOf(order, NO_ENTRY, { ...tried, action: 'reach' });
  return { ...failedWrite(write, failure, durationMs, run), attempt };
}

function wasRefused({ order }: Write): boolean {
  return order.destination.failureCode === REFUSED;
}

function refusalOf(looked: Write | StepOutcome): Failure | null {
  const failure = 'token' in looked ? undefined : looked.failure;
  return failure?.cause.code === REFUSED ? failure : null;
}

/**
 * Splits writes into chunks that take one call each. `alone`: those that need a call of their own: all writes to a store
 * without batches, and unchanged values.
 */
export function inChunks(writes: Write[], run: PushRun): { chunks: Write[][]; alone: Write[] } {
  const size = run.engine.destination.batchSize ?? 1;
  if (!run.session.putMany || size < 2) return { chunks: [], alone: writes };
  const suited = writes.filter((write) => write.valueChanged);
  const chunks: Write[][] = [];
  for (let start = 0; start < suited.length; start += size) chunks.push(suited.slice(start, start + size));
  return { chunks, alone: writes.filter((write) => !write.valueChanged) };
}

/**
 * Writes values together in one call. Returns the writes whose names turned out to be taken or gone: they need a call of
 * their own. Never throws.
 */
export async function writeChunk(chunk: Write[], run: PushRun): Promise<(Write | StepOutcome)[]> {
  const { engine, session } = run;
  if (isOutOfTime(run)) return chunk.map(() => ({ isLeft: true }));
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const entries = chunk.map((write) => putEntry(write, write.entry.owned ? 'present' : 'absent'));
  try {
    const results = await callInLease(
      run,
      (signal) => session.putMany?.(entries, signal) ?? Promise.resolve([]),
    );
    return chunk.map((write, index): Write | StepOutcome => {
      const result = results[index] ?? new Error('a batch returned too few results');
      if (result instanceof ConnectorError && (result.kind === 'exists' || result.kind === 'missing'))
        return write;
      if (result instanceof Error) return failedWrite(write, toLoggedFailure(result, engine), elapsed(), run);
      const { owned } = write.entry;
      const action = owned ? updateOf(write) : ('create' as const);
      const done = { action, ownerSeen: !owned, durationMs: elapsed(), reference: result.reference };
      return syncedEntry(write, done, engine.context.config.LEASE);
    });
  } catch (error) {
    return chunk.map((write) => failedWrite(write, toLoggedFailure(error, engine), elapsed(), run));
  }
}

/** Writes one value. Never throws. */
export async function writeOne(write: Write, progress: PushProgress, run: PushRun): Promise<StepOutcome> {
  const { LEASE: leaseMs } = run.engine.context.config;
  const isDone = isUnchanged(write, run);
  if (isDone && isKnownDrift(write, leaseMs)) return { ...leftEntry(write), isAccepted: write.isAccepted };
  const blocked = isDone ? undefined : blockage(progress, run);
  if (blocked) return blockedWrite(write, blocked, run);
  const started = performance.now();
  const written = await writeEntry(write, run);
  const durationMs = performance.now() - started;
  return 'error' in written
    ? failedWrite(write, toLoggedFailure(written.error, run.engine), durationMs, run, written)
    : { ...syncedEntry(write, { ...written, durationMs }, leaseMs), isAccepted: write.isAccepted };
}

// The store refused something about one entry, so it accepted the credentials.
function isOfEntry({ wholeDestination, retry }: Failure): boolean {
  return !wholeDestination && (retry === 'slow' || retry === 'never');
}

// Whether the ledger says that the entry already has its value and tags.
function isUnchanged({ valueChanged, entry, tags }: Write, { session }: PushRun): boolean {
  return !valueChanged && (!session.retag || sameTags(entry.writtenTags, tags));
}

// Whether what the ledger does not want written was changed in the store. After a call that was given up nobody knows.
function isKnownDrift({ entry }: Write, leaseMs: number): boolean {
  return entry.foreignFingerprint !== null && confirmsInMs(entry, leaseMs) === null;
}

function blockedWrite(write: Write, blocked: Failure | 'later', run: PushRun): StepOutcome {
  return blocked === 'later' ? { isLeft: true } : untried(failedWrite(write, blocked, 0, run));
}

// A write that certainly had no effect leaves the ledger as it was.
function failedWrite(
  write: Write,
  failure: Failure,
  durationMs: number,
  run: PushRun,
  { left, mayBeOurs }: Pick<UnwrittenEntry, 'left' | 'mayBeOurs'> = {
    left: write.entry,
    mayBeOurs: write.entry.owned,
  },
): StepOutcome {
  const entry = { ...left, owned: failure.ambiguous ? mayBeOurs : left.owned };
  // An entry of somebody else is there.
  const other = decisionAbout(write.subKey, write.order) ?? ('create' as const);
  const action = write.entry.owned ? updateOf(write) : other;
  const outcome = failedEntry(write.order, entry, failure, { subKey: write.subKey, action, durationMs });
  return { ...outcome, isLeft: isInterruption(failure, run) };
}
