import type { StoreEntry, VerifiedEntry } from '../../commands/connector-commands.ts';
import { findHolding } from '../../store/orders/shared-names.ts';
import type { LedgerLine } from '../../store/orders/ledger.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { DriftFinding } from '../../store/associations/drift.ts';
import { nameKey } from '../../connector/names.ts';
import type { EntryKey, Found, Owned, Session } from '../../connector/contract.ts';
import type { Engine } from '../engine.ts';
import { sideBySide } from '../push/call-limit.ts';
import { driftCause, fingerprintOf, stateOf } from '../push/drift.ts';
import { isAnother } from '../push/ownership.ts';
import { createAsker, openReader, type StoreAsker } from './asker.ts';

const UNCONFIRMED: Cause = {
  class: 'EXTERNAL_SERVICE_ERROR',
  code: 'write_unconfirmed',
  message: 'the store did not confirm a write; the value is written once more',
};

/**
 * What a store says about a name that the ledger does not have: the owner of the entry, if there is one. `shared`: another
 * destination of ours manages it. `unsure`: it bears our mark, but the ledger cannot tell whether another destination manages
 * it. `unknown`: the store gave no answer, see `cause`.
 */
export type Sight = {
  name: string;
  state: 'absent' | 'ours' | 'shared' | 'unsure' | 'unmarked' | 'other' | 'unknown';
  cause: Cause | null;
  /** Of an entry that is not ours: see `Found`. */
  blocked?: string | undefined;
  becomes?: string | undefined;
  /** If asked for: the keyed fingerprint of the value, in hex; null if it cannot be read. */
  print?: string | null;
  /** If asked for: what tells a person whose it is. */
  about?: StoreEntry;
};

/**
 * A line of the ledger and what the store says about it; `found` is the keyed fingerprint of the value there, in hex.
 * `isForeign`: the entry there is no longer ours. `isTried`: our last write is not confirmed, and the value is one that we may have written. `version`: the version that the value there is of, if we have not written it.
 */
export type ComparedLine = {
  line: LedgerLine;
  state: VerifiedEntry['state'];
  cause: Cause | null;
  found: string | null;
  isForeign: boolean;
  isTried?: boolean;
  version?: number | undefined;
} & Pick<Found, 'blocked' | 'moves' | 'staysIn'>;

/** Compares external entries with the ledger. Without an answer in time an entry is `unknown`. */
export async function compareEntries(
  ledger: LedgerLine[],
  session: Session,
  engine: Engine,
  ask = createAsker(engine),
): Promise<ComparedLine[]> {
  const reader = await openReader(ledger.length, session, ask);
  if ('cause' in reader) return ledger.map((line) => toComparedLine(line, 'unknown', reader.cause));
  const isOther = ({ reference }: LedgerLine, found: Found): boolean =>
    isAnother(found, { reference, session, engine });
  const look = async (line: LedgerLine): Promise<ComparedLine> => {
    if (isBeingDeleted(line)) return lookAtDeletion(line);
    if (!line.owned) return lookAtName(line);
    const key = { name: line.externalName, reference: line.reference };
    const answer = await ask((signal) => reader.read(key, signal));
    if ('cause' in answer) return toComparedLine(line, 'unknown', answer.cause);
    const { found } = answer;
    const print = found && found.value !== null ? fingerprintOf(line, found.value, engine) : null;
    // There is no confirmed value to compare with: a difference may come from our own write.
    const isForeign = found !== null && isOther(line, found);
    if (print !== null && line.valueFingerprint === null)
      return { ...toComparedLine(line, 'unknown', UNCONFIRMED), found: print, isForeign };
    const { blocked, moves, staysIn } = found ?? {};
    const state = stateOf(line, found, print);
    return { ...toComparedLine(line, state), found: print, isForeign, blocked, moves, staysIn };
  };
  const lookAtDeletion = async (line: LedgerLine): Promise<ComparedLine> => {
    const key = { name: line.externalName, reference: line.reference };
    const answer = await ask((signal) => reader.read(key, signal));
    if ('cause' in answer) return toComparedLine(line, 'unknown', answer.cause);
    const { found } = answer;
    if (!found) return toComparedLine(line, 'deleted');
    // Without a reference, what comes back under the name counts as ours, unless the ledger has let go of it.
    const isForeign = line.owned ? line.reference !== null && isOther(line, found) : found.owner !== 'ours';
    if (isForeign) return toComparedLine(line, 'foreign');
    const print = found.value === null ? null : fingerprintOf(line, found.value, engine);
    return { ...toComparedLine(line, 'undeleted'), found: print };
  };
  // The entry may have been ours until somebody deleted it and made another one of that name.
  const lookAtName = async (line: LedgerLine): Promise<ComparedLine> => {
    const key = { name: line.externalName, reference: null };
    const answer = await ask((signal) => session.findOwner?.(key, signal) ?? reader.read(key, signal));
    if ('cause' in answer) return toComparedLine(line, 'unknown', answer.cause);
    const isForeign = answer.found !== null && answer.found.owner !== 'ours';
    return toComparedLine(line, isForeign ? 'foreign' : 'not_written');
  };
  return sideBySide(ledger, look);
}

// What was deleted, or was not confirmed to be, has no fingerprint any more.
function isBeingDeleted({ isLeaving, valueFingerprint, writtenAt }: LedgerLine): boolean {
  return isLeaving && valueFingerprint === null && writtenAt !== null;
}

/** A line about which the store says nothing. */
export function toComparedLine(
  line: LedgerLine,
  state: VerifiedEntry['state'],
  cause: Cause | null = null,
): ComparedLine {
  return { line, state, cause, found: null, isForeign: state === 'foreign' };
}

// The states that say whether a written entry is as we wrote it.
const DRIFTS = { drifted: 'changed_outside', missing: 'gone_outside', in_sync: null, present: null } as const;

/** What we store of the store's answer; undefined if the answer says nothing that lasts. */
export function driftFinding({
  line,
  state,
  found,
  isForeign,
  version,
}: ComparedLine): DriftFinding | undefined {
  const { id, valueFingerprint: written, writtenAt } = line;
  if (!(state in DRIFTS)) return undefined;
  const differs = DRIFTS[state as keyof typeof DRIFTS];
  const drift = differs && { ...driftCause(differs), ...(isForeign ? { foreign: true as const } : {}) };
  return {
    id,
    written,
    writtenAt,
    drift,
    found: drift || found !== written ? found : null,
    version: version ?? null,
  };
}

/** One line of the answer. */
export function driftOf({ line, state, cause, version }: ComparedLine): VerifiedEntry {
  const known = { sub_key: line.subKey, external_name: line.externalName, state, cause };
  return state === 'in_sync' && version !== undefined ? { ...known, version } : known;
}

/**
 * A name that the ledger does not know, or knows as the one of our own entry; `besides`: the reference of that. `comparedAs`:
 * also tells the fingerprint of the value, as one of this association.
 */
export type WantedName = Pick<EntryKey, 'name' | 'besides'> & { comparedAs?: number | undefined };

/**
 * Asks the store who owns the entries of some names. `destinationId` is 0 for a destination that is not stored. Without an
 * answer in time an entry is `unknown`.
 */
export async function lookAtNames(
  names: WantedName[],
  { destinationId, session, ask }: { destinationId: number; session: Session; ask: StoreAsker },
  engine: Engine,
): Promise<Sight[]> {
  const reader = await openReader(names.length, session, ask);
  if ('cause' in reader) return names.map(({ name }) => sightOf(name, reader.cause));
  const look = async ({ name, besides = null, comparedAs }: WantedName): Promise<Sight> => {
    const key = { name, reference: null, besides };
    const answer = await ask((signal) =>
      comparedAs === undefined
        ? (session.findOwner?.(key, signal) ?? reader.read(key, signal))
        : reader.read(key, signal),
    );
    if ('cause' in answer) return { name, state: 'unknown', cause: answer.cause };
    const { owner = 'absent', reference = null } = answer.found ?? {};
    const state = owner === 'ours' ? await whichOfOurs({ name, destinationId, reference }, engine) : owner;
    const found = answer.found && isRead(answer.found) ? answer.found : null;
    const { blocked, becomes } = found ?? {};
    const sight: Sight = { name, state, cause: null, blocked, becomes };
    if (comparedAs === undefined) return sight;
    const value = found?.value ?? null;
    const print = value === null ? null : fingerprintOf({ associationId: comparedAs }, value, engine);
    return { ...sight, print, ...(found ? { about: aboutOf(found) } : {}) };
  };
  return sideBySide(names, look);
}

function isRead(answer: Found | Owned): answer is Found {
  return 'value' in answer;
}

function aboutOf({ createdAt = null, changedAt, tags = {} }: Found): StoreEntry {
  return {
    createdAt: createdAt?.toISOString() ?? null,
    changedAt: changedAt?.toISOString() ?? null,
    tags,
  };
}

// Our mark names the installation, not the destination, so only the ledger can tell which destination manages an entry.
async function whichOfOurs(
  { name, ...own }: { name: string; destinationId: number; reference: string | null },
  { context, destination }: Engine,
): Promise<'ours' | 'shared' | 'unsure'> {
  const { type, identityOf, names } = destination;
  // Each container of such a type has exactly one name, so the ledger knows all its entries.
  if (!identityOf) return 'ours';
  const entry = { ...own, type, nameKey: nameKey(names, name) };
  const holding = await findHolding(context.db, entry, identityOf);
  return ({ shared: 'shared', free: 'ours', unknown: 'unsure' } as const)[holding];
}

/** The same for a store that we could not ask at all. */
export function sightOf(name: string, cause: Cause): Sight {
  return { name, state: 'unknown', cause };
}
