import { performance } from 'node:perf_hooks';
import { recordOwned } from '../../store/orders/reserve.ts';
import type { LedgerEntry } from '../../store/orders/order.ts';
import { ConnectorError } from '../../connector/errors.ts';
import type { PushTools } from '../engine.ts';
import type { Failure, Plan, Write } from '../order.ts';
import { sideBySide } from './call-limit.ts';
import { blockage, interrupted, logged } from './failure.ts';
import { sameTags } from './plan.ts';
import { isSharedEntry } from './ownership.ts';
import { inTurns, withoutWaiting } from './succession.ts';
import { isChangedOutside } from './verify.ts';
import { recordFailed, recordSynced } from './uncertainty.ts';
import { NOT_OWNED, putEntry, writeEntry } from './write-entry.ts';

type PutMany = NonNullable<PushTools['session']['putMany']>;

/** Writes the values of the plans and records the results. Never throws. */
export async function writeEntries(plans: Plan[], tools: PushTools): Promise<void> {
  const writes = plans.flatMap((plan) => plan.writes);
  for (const write of writes) {
    const { externalName: name, reference } = write.known;
    write.valueChanged ||= tools.session.isOutdated?.({ name, reference }) ?? false;
  }
  for (const turn of inTurns(await lookAtUnchanged(writes, tools))) {
    const left = await writeBatch(await withoutWaiting(turn, tools), tools);
    await sideBySide(left, (write) => writeOne(write, tools));
  }
}

// A person asked to try again, so the ledger's word is not enough: an entry that is gone or was changed outside is written
// again. Returns the writes that are not concluded.
async function lookAtUnchanged(writes: Write[], tools: PushTools): Promise<Write[]> {
  const concluded = new Set<Write>();
  const unchanged = writes.filter(
    ({ plan, known, valueChanged }) => plan.order.looks && known.owned && !valueChanged,
  );
  await sideBySide(unchanged, async (write) => {
    const blocked = blockage(write.plan, tools);
    if (blocked) concluded.add(write);
    if (blocked === 'later') return;
    if (blocked) return failWrite(write, blocked, 0, tools);
    const started = performance.now();
    const { externalName: name, reference } = write.known;
    try {
      const found = await tools.run((signal) => tools.session.read({ name, reference }, signal));
      write.valueChanged = isChangedOutside(write, found, tools.parts);
      // Whose it is now must be asked again.
      if (write.valueChanged) write.entry.ownerSeenMsAgo = null;
    } catch (error) {
      concluded.add(write);
      failWrite(write, logged(error, tools.parts), performance.now() - started, tools);
    }
  });
  return writes.filter((write) => !concluded.has(write));
}

// Writes values together, in as few calls as the store allows. Returns the writes that need a call of their own: all
// writes to a store without batches, unchanged values, and names that turned out to be taken or gone.
async function writeBatch(writes: Write[], tools: PushTools): Promise<Write[]> {
  const { putMany } = tools.session;
  const size = tools.parts.destination.batchSize ?? 1;
  if (!putMany || size < 2) return writes;
  const suited = writes.filter((write) => write.valueChanged);
  const alone = new Set(writes.filter((write) => !write.valueChanged));
  for (let start = 0; start < suited.length; start += size) {
    const chunk = suited.slice(start, start + size);
    if (tools.outOfTime()) {
      for (const { plan } of chunk) plan.unfinished = true;
      continue;
    }
    for (const write of await writeChunk(chunk, putMany, tools)) alone.add(write);
  }
  return writes.filter((write) => alone.has(write));
}

async function writeChunk(chunk: Write[], putMany: PutMany, tools: PushTools): Promise<Write[]> {
  const started = performance.now();
  const entries = chunk.map((write) => putEntry(write, write.known.owned ? 'present' : 'absent'));
  const elapsed = (): number => performance.now() - started;
  try {
    const results = await tools.run((signal) => putMany(entries, signal));
    return chunk.filter((write, index) => {
      const result = results[index];
      if (result instanceof ConnectorError) {
        if (result.kind === 'exists' || result.kind === 'missing') return true;
        failWrite(write, logged(result, tools.parts), elapsed(), tools);
      } else if (result) {
        const { owned } = write.known;
        const action = owned ? ('update' as const) : ('create' as const);
        const outcome = { action, tags: write.tags, ownerSeen: !owned, durationMs: elapsed(), ...result };
        recordSynced(write.plan, write, outcome, tools.parts.context.config.LEASE);
      }
      return false;
    });
  } catch (error) {
    for (const write of chunk) failWrite(write, logged(error, tools.parts), elapsed(), tools);
    return [];
  }
}

async function writeOne(write: Write, tools: PushTools): Promise<void> {
  const { parts, session } = tools;
  const { plan } = write;
  if (!isUnchanged(write, tools)) {
    const blocked = blockage(plan, tools);
    if (blocked === 'later') return;
    if (blocked) return failWrite(write, blocked, 0, tools);
  }
  const started = performance.now();
  const setOwned = async (entry: LedgerEntry): Promise<void> => {
    await recordOwned(parts.context.db, entry.id);
    write.entry.owned = true;
  };
  const destinationId = plan.order.destination.id;
  const isShared = (reference: string | null): Promise<boolean> =>
    isSharedEntry({ destinationId, entry: write.entry, reference }, parts);
  try {
    const outcome = await tools.run((signal) =>
      writeEntry(write, { destination: parts.destination, session, signal, recordOwned: setOwned, isShared }),
    );
    const durationMs = performance.now() - started;
    recordSynced(plan, write, { tags: write.tags, durationMs, ...outcome }, parts.context.config.LEASE);
  } catch (error) {
    failWrite(write, logged(error, parts), performance.now() - started, tools);
  }
}

// Whether the ledger says that the entry already has its value and tags.
function isUnchanged({ valueChanged, entry, tags }: Write, { session }: PushTools): boolean {
  return !valueChanged && (!session.retag || sameTags(entry.writtenTags, tags));
}

// A write that certainly had no effect leaves the ledger as it was.
function failWrite(write: Write, failure: Failure, durationMs: number, tools: PushTools): void {
  const { plan, known, subKey } = write;
  if (interrupted(failure, tools)) plan.unfinished = true;
  const left = write.isLost ? { ...known, ...NOT_OWNED } : known;
  const entry = { ...left, owned: failure.ambiguous ? write.entry.owned : left.owned };
  recordFailed(plan, entry, subKey, failure, known.owned ? 'update' : 'create', durationMs);
}
