import type { LedgerEntry, OrderDestination } from '../../store/orders/order.ts';
import type { Destination, EntryKey, Found, Session, Written } from '../../connector/contract.ts';
import { afterEffect, ConnectorError } from '../../connector/errors.ts';
import { bearsMarks } from '../../connector/marks.ts';
import { sameTags } from './tags.ts';

/** One value that is to be in one entry, and what the ledger says of that entry. */
export type WriteTask = {
  entry: LedgerEntry;
  value: string;
  valueChanged: boolean;
  /** All tags wanted on the entry; empty for stores without tags. */
  tags: Record<string, string>;
  /** The same for the same association, generation and value. */
  token: string;
  options: OrderDestination;
  /** The entry that the ledger held is gone, or is somebody else's by now. */
  lost?: boolean;
};

export type WriteParts = {
  destination: Destination;
  session: Session;
  signal: AbortSignal;
  /** Records in the ledger that we are about to write an entry whose owner the store could not tell afterwards. */
  hold: (entry: LedgerEntry) => Promise<void>;
  /** Whether another destination holds the entry of that reference. */
  isShared: (reference: string | null) => Promise<boolean>;
};

/** `action`: what it took; `reference`: what the ledger keeps; `ownerSeen`: whether the store was asked whose the entry is. */
export type WriteOutcome = {
  action: 'create' | 'update' | 'tag' | 'unchanged';
  reference: string | null;
  ownerSeen: boolean;
};

/** What the ledger keeps of an entry that it no longer holds. */
export const NOT_HELD = { held: false, reference: null, valuePrint: null, writtenTags: null };

/** Brings one entry to its value and tags with the fewest calls. Throws ConnectorError. */
export async function writeEntry(task: WriteTask, parts: WriteParts): Promise<WriteOutcome> {
  try {
    return await (task.entry.held ? updateHeld(task, parts) : writeUnheld(task, parts));
  } catch (error) {
    // Deleted in between, or the store answers from copies that differ.
    if (isKind(error, 'missing'))
      throw contradiction(
        'entry_unsettled',
        'the store showed the entry and then said that there is none; tried again later',
      );
    throw error;
  }
}

async function writeUnheld(task: WriteTask, parts: WriteParts): Promise<WriteOutcome> {
  if (!parts.destination.createIsExclusive) {
    const found = await parts.session.read(keyOf(task), parts.signal);
    return found ? takeOver(task, parts, found) : create(task, parts);
  }
  try {
    return await create(task, parts);
  } catch (error) {
    if (!isKind(error, 'exists')) throw error;
    const found = await parts.session.read(keyOf(task), parts.signal);
    if (found) return takeOver(task, parts, found);
    // Taken and yet not there: a deletion is under way at the store, or it answers from a stale copy.
    throw contradiction(
      'name_blocked',
      'the store says the name is taken and shows no such entry; tried again later',
    );
  }
}

async function updateHeld(task: WriteTask, parts: WriteParts): Promise<WriteOutcome> {
  const retag = parts.session.retag !== undefined && !sameTags(task.entry.writtenTags, task.tags);
  if (!task.valueChanged && !retag)
    return { action: 'unchanged', reference: task.entry.reference, ownerSeen: false };
  const ownerSeen = mustAskOwner(task, parts);
  if (ownerSeen && (await isLost(task.entry, parts))) return writeUnheld(lose(task), parts);
  try {
    const reference = task.valueChanged
      ? (await put(task, parts, 'present')).reference
      : task.entry.reference;
    if (!retag) return { action: 'update', reference, ownerSeen };
    const removed = Object.keys(task.entry.writtenTags ?? {}).filter((key) => !Object.hasOwn(task.tags, key));
    const retagging = (): Promise<string | null> => mark(task, parts, reference, removed);
    return task.valueChanged
      ? { action: 'update', reference: await afterEffect(retagging), ownerSeen }
      : { action: 'tag', reference: await retagging(), ownerSeen };
  } catch (error) {
    // Somebody deleted it outside: ours to make again, unless the name has another owner by now.
    if (isKind(error, 'missing')) return writeUnheld(lose(task), parts);
    throw error;
  }
}

function mustAskOwner({ entry, options }: WriteTask, { session }: WriteParts): boolean {
  if (!session.findOwner) return false;
  return entry.ownerSeenMsAgo === null || entry.ownerSeenMsAgo >= options.ownerCheckMs;
}

async function isLost(entry: LedgerEntry, parts: WriteParts): Promise<boolean> {
  const owned = await findOwned(entry, parts);
  // What is gone has nothing to replace. Where entries bear no marks it must stay held: it may only not be shown yet, and
  // would look like somebody else's once it is.
  return owned === 'foreign' || (owned === undefined && bearsMarks(parts.destination));
}

/**
 * What an entry that the ledger holds is at the store: the key of this very entry, undefined where it is gone, `foreign`
 * where somebody else made one of that name.
 */
export async function findOwned(
  entry: LedgerEntry,
  { destination, session, signal }: Pick<WriteParts, 'destination' | 'session' | 'signal'>,
): Promise<EntryKey | 'foreign' | undefined> {
  const key = { name: entry.externalName, reference: entry.reference };
  if (!session.findOwner) return key;
  const owned = await session.findOwner(key, signal);
  if (!owned) return undefined;
  // Where entries bear no marks, of one whose identity was never learned the ledger alone says that it is ours.
  const isOurs = owned.owner === 'ours' || (owned.owner === 'unmarked' && !bearsMarks(destination));
  return isOurs ? { ...key, reference: owned.reference ?? key.reference } : 'foreign';
}

// Nothing that the ledger says of the former entry holds for the name any more.
function lose(task: WriteTask): WriteTask {
  task.lost = true;
  Object.assign(task.entry, NOT_HELD);
  return task;
}

async function create(task: WriteTask, parts: WriteParts): Promise<WriteOutcome> {
  await holdUnmarked(task, parts);
  return { action: 'create', reference: (await put(task, parts, 'absent')).reference, ownerSeen: true };
}

// Where entries bear marks, the mark tells after a crash whose one is; only elsewhere must the ledger know beforehand.
async function holdUnmarked(task: WriteTask, parts: WriteParts): Promise<void> {
  if (!bearsMarks(parts.destination)) await parts.hold(task.entry);
}

// The name is taken by an entry that the ledger does not hold: only our own mark or the person's choice lets us write.
async function takeOver(task: WriteTask, parts: WriteParts, found: Found): Promise<WriteOutcome> {
  const ours = found.owner === 'ours';
  if (!ours && task.options.conflictPolicy === 'refuse') throw foreignEntry(found);
  if (ours && (await parts.isShared(found.reference))) throw sharedEntry();
  await holdUnmarked(task, parts);
  const known = { ...task, entry: { ...task.entry, reference: found.reference ?? task.entry.reference } };
  const equal = found.value === task.value && (ours || task.options.conflictPolicy === 'adopt');
  const ownerSeen = true;
  if (ours && equal && Object.keys(task.tags).length === 0)
    return { action: 'unchanged', reference: known.entry.reference, ownerSeen };
  // The mark comes first: a value of ours in an entry without it would stay for ever, should we get no further.
  const reference = await mark(known, parts, known.entry.reference, []);
  if (equal) return { action: 'tag', reference, ownerSeen };
  if (!task.entry.held) await parts.hold(task.entry);
  const writing = (): Promise<Written> => put(known, parts, 'present');
  const written = await (parts.session.retag ? afterEffect(writing) : writing());
  return { action: 'update', reference: written.reference, ownerSeen };
}

async function mark(
  task: WriteTask,
  parts: WriteParts,
  reference: string | null,
  removed: string[],
): Promise<string | null> {
  if (!parts.session.retag) return reference;
  const entry = { name: task.entry.externalName, reference, tags: task.tags, removed };
  return (await parts.session.retag(entry, parts.signal)).reference;
}

function put(task: WriteTask, parts: WriteParts, expect: 'absent' | 'present'): Promise<Written> {
  return parts.session.put(putEntry(task, expect), parts.signal);
}

/** What the connector is handed for a task. */
export function putEntry(task: WriteTask, expect: 'absent' | 'present') {
  return { value: task.value, tags: task.tags, expect, token: task.token, ...keyOf(task) };
}

function keyOf(task: WriteTask) {
  return { name: task.entry.externalName, reference: task.entry.reference };
}

function isKind(error: unknown, kind: ConnectorError['kind']): boolean {
  return error instanceof ConnectorError && error.kind === kind;
}

function contradiction(code: string, message: string): ConnectorError {
  return new ConnectorError({ kind: 'external', code, message });
}

function foreignEntry(found: Found): ConnectorError {
  const whose =
    found.owner === 'other' ? 'bears the mark of another installation' : 'was not written by this service';
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message: `an entry of that name ${whose}; remove or rename it, or set conflict_policy to overwrite or adopt`,
  });
}

// Two destinations of one container, though their settings do not tell: each would overwrite and delete the other's.
function sharedEntry(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message:
      'another destination of this service writes to the same account or project and manages the entry of that name; give one of them another secret_name_template',
  });
}
