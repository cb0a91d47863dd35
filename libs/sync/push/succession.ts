import { reserveEntries } from '../../store/orders/reserve.ts';
import { ledgerKey } from '../../connector/names.ts';
import type { PushRun } from '../engine.ts';
import type { StepOutcome, PushProgress, Write } from '../order.ts';
import { toLoggedFailure, refusal } from './failure.ts';
import { failedEntry, resultsOf } from './outcomes.ts';
import { isWritten } from './uncertainty.ts';

/** Writes that go out together, and their keys. */
type Turn = { writes: Write[]; keys: Set<string> };

/**
 * Splits writes into turns. A key may take over the name of another key of its secret. It waits until an earlier turn has
 * given that other key its new name: if that name were refused, the other key's value would no longer exist outside. Keys
 * that swap names in a circle share the last turn.
 */
export function inTurns(writes: Write[]): Turn[] {
  if (!writes.some(hasPredecessor)) return [turnOf(writes)];
  const turns: Turn[] = [];
  for (let left = writes; left.length > 0;) {
    const moving = new Set(left.map((item) => keyOf(item, item.subKey)));
    const ready = left.filter(
      (item) => !hasPredecessor(item) || !moving.has(keyOf(item, predecessorOf(item))),
    );
    const turn = new Set(ready.length > 0 ? ready : left);
    turns.push(turnOf([...turn]));
    left = left.filter((item) => !turn.has(item));
  }
  return turns;
}

/**
 * Returns a write of a turn that may go out. If its predecessor failed, the entry of that name stays as it is, and the
 * outcome says why. If the predecessor was left for later, the write is left for later too.
 */
export async function afterPredecessor(
  write: Write,
  turn: Turn,
  progress: PushProgress,
  run: PushRun,
): Promise<Write | StepOutcome> {
  if (!hasPredecessor(write)) return write;
  if (turn.keys.has(keyOf(write, predecessorOf(write)))) return write;
  const state = stateOf(predecessorOf(write), progress);
  if (state === 'free') return write;
  return state === 'failed' ? refuseForNow(write, run) : { isLeft: true };
}

function turnOf(writes: Write[]): Turn {
  return { writes, keys: new Set(writes.map((item) => keyOf(item, item.subKey))) };
}

// The state of the key that had the name until now.
function stateOf(predecessor: string, { plan, outcomes }: PushProgress): 'free' | 'failed' | 'later' {
  const isWanted = [...plan.writes, ...plan.refused].some(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (!isWanted) return 'free';
  const results = resultsOf(outcomes).filter(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (results.some(isWritten)) return 'free';
  return results.length > 0 ? 'failed' : 'later';
}

// The entry that has the name keeps its row, so a new row shows what became of this key.
async function refuseForNow({ order, name, subKey }: Write, run: PushRun): Promise<StepOutcome> {
  const message = `${name} has the value of another key, which could not be written under its new name yet`;
  const reservation = {
    associationId: order.id,
    destinationId: order.destination.id,
    subKey: ledgerKey(subKey),
    externalName: name,
    nameKey: null,
  };
  try {
    const [entry] = (await reserveEntries(run.engine.context.db, [reservation])).entries.values();
    if (!entry) return { isLeft: true };
    return failedEntry(order, entry, refusal('not_replaced', message), { action: 'none', durationMs: 0 });
  } catch (error) {
    return { failure: toLoggedFailure(error, run.engine) };
  }
}

function hasPredecessor(item: Write): boolean {
  return predecessorOf(item) !== ledgerKey(item.subKey) && item.entry.writtenMsAgo !== null;
}

function predecessorOf({ entry }: Write): string {
  return entry.subKey;
}

function keyOf({ order }: Write, subKey: string): string {
  return `${order.id}/${ledgerKey(subKey)}`;
}
