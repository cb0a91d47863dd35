import { performance } from 'node:perf_hooks';
import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerLine } from '../../store/orders/ledger.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { Finding } from '../../store/associations/drift.ts';
import { ENGINE_CAUSES } from '../../connector/causes.ts';
import type { Session } from '../../connector/contract.ts';
import { logged, sideBySide, withLimit, type EngineParts } from './call.ts';

// Clocks of stores and ours differ; only a change later than this after our own write is somebody else's.
const CLOCK_TOLERANCE_MS = 60_000;
// Whoever asks waits so long; the rest of it is for the way there and back.
const SHARE_OF_TIME = 0.75;
// Timers run by the clock of the event loop.
const TIMER_EARLY_MS = 5;

const OUT_OF_TIME: Cause = {
  class: 'EXTERNAL_SERVICE_ERROR',
  code: 'timed_out',
  message: 'the store did not answer in time; ask again to look at the rest',
};

const UNCONFIRMED: Cause = {
  class: 'EXTERNAL_SERVICE_ERROR',
  code: 'write_unconfirmed',
  message: 'the store left open what became of a write; it is written once more before long',
};

/** How an external entry compares with what we wrote. `present`: it is there and cannot be read; `unknown`: see `cause`. */
export type Drift = {
  sub_key: string;
  external_name: string;
  state: 'in_sync' | 'drifted' | 'missing' | 'present' | 'not_written' | 'unknown';
  cause: Cause | null;
};

/** What a store says of a name that the ledger does not have: whose the entry is, if there is one; `unknown`: see `cause`. */
export type Sight = {
  name: string;
  state: 'absent' | 'ours' | 'unmarked' | 'other' | 'unknown';
  cause: Cause | null;
};

/** A line of the ledger with what the store says of it; `found` is the keyed fingerprint of the value there, in hex. */
export type Compared = {
  line: LedgerLine;
  state: Drift['state'];
  cause: Cause | null;
  found: string | null;
};

/** Looks at the external entries of one association. What is not told in time is `unknown`. */
export function compareEntries(
  ledger: LedgerLine[],
  session: Session,
  parts: EngineParts,
): Promise<Compared[]> {
  const ask = createAsker(parts);
  const look = async (line: LedgerLine): Promise<Compared> => {
    if (!line.held) return compared(line, 'not_written');
    const key = { name: line.externalName, reference: line.reference };
    const answer = await ask((signal) => session.read(key, signal));
    if ('cause' in answer) return compared(line, 'unknown', answer.cause);
    const { found } = answer;
    const print = found && found.value !== null ? printOf(line, found.value, parts) : null;
    // Nothing confirmed to compare with: a difference may be of our own making.
    if (print !== null && line.valueFingerprint === null) return compared(line, 'unknown', UNCONFIRMED);
    return { ...compared(line, compare(line, found, print)), found: print };
  };
  return sideBySide(ledger, look);
}

/** A line that the store tells nothing about. */
export function compared(line: LedgerLine, state: Drift['state'], cause: Cause | null = null): Compared {
  return { line, state, cause, found: null };
}

/** What is to be kept of what the store said; undefined where it said nothing that lasts. */
export function findingOf({ line, state, found }: Compared): Finding | undefined {
  const { id, valueFingerprint: written, writtenAt } = line;
  if (state === 'not_written' || state === 'unknown') return undefined;
  const code = { drifted: 'changed_outside', missing: 'gone_outside', in_sync: null, present: null } as const;
  const differs = code[state];
  const drift = differs && { class: 'DRIFTED', code: differs, message: ENGINE_CAUSES[differs].message };
  return { id, written, writtenAt, drift, found: drift ? found : null };
}

/** One line of the answer. */
export function driftOf({ line, state, cause }: Compared): Drift {
  return { sub_key: line.subKey, external_name: line.externalName, state, cause };
}

/** Whose the entries of names are. What is not told in time is `unknown`. */
export function lookAtNames(names: string[], session: Session, parts: EngineParts): Promise<Sight[]> {
  const ask = createAsker(parts);
  const look = async (name: string): Promise<Sight> => {
    const key = { name, reference: null };
    const answer = await ask((signal) => session.findOwner?.(key, signal) ?? session.read(key, signal));
    if ('cause' in answer) return { name, state: 'unknown', cause: answer.cause };
    return { name, state: answer.found?.owner ?? 'absent', cause: null };
  };
  return sideBySide(names, look);
}

/** The same for a store that could not be asked at all. */
export function sightOf(name: string, cause: Cause): Sight {
  return { name, state: 'unknown', cause };
}

type Told<Found> = { found: Found } | { cause: Cause };

// Questions to one store within the time that a command has. After silence, or a failure of the destination as a whole, the
// rest is not asked.
function createAsker(parts: EngineParts) {
  const { CALL_TIMEOUT, COMMAND_TIMEOUT } = parts.context.config;
  const end = performance.now() + COMMAND_TIMEOUT * SHARE_OF_TIME;
  let stopped: Cause | undefined;
  return async <Found>(call: (signal: AbortSignal) => Promise<Found>): Promise<Told<Found>> => {
    const limit = Math.min(CALL_TIMEOUT, end - performance.now());
    if (stopped || limit <= 0) return { cause: stopped ?? OUT_OF_TIME };
    const silent = performance.now() + limit - TIMER_EARLY_MS;
    try {
      return { found: await withLimit(limit, parts.stop, call) };
    } catch (error) {
      const failure = logged(error, parts);
      const isLate = performance.now() >= silent;
      const cause = isLate ? OUT_OF_TIME : failure.cause;
      if (isLate || failure.wholeDestination) stopped ??= cause;
      return { cause };
    }
  };
}

function compare(
  line: LedgerLine,
  found: Awaited<ReturnType<Session['read']>>,
  print: string | null,
): Drift['state'] {
  if (!found) return 'missing';
  if (found.owner === 'other' || found.isChangedByOthers) return 'drifted';
  if (print !== null) return print === line.valueFingerprint ? 'in_sync' : 'drifted';
  const changed = found.changedAt && line.writtenAt && found.changedAt.getTime() - line.writtenAt.getTime();
  return changed !== null && changed > CLOCK_TOLERANCE_MS ? 'drifted' : 'present';
}

function printOf({ associationId }: LedgerLine, value: string, { context }: EngineParts): string {
  return fingerprint(context.installation.hashKey, `entry/${associationId}`, value).toString('hex');
}
