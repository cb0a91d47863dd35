import { reserveEntries } from '../../store/orders/reserve.ts';
import { ledgerKey } from '../../connector/names.ts';
import type { PushTools } from '../engine.ts';
import type { Write } from '../order.ts';
import { logged, refusal } from './failure.ts';
import { isWritten, recordFailed } from './uncertainty.ts';

/**
 * Splits writes into turns. A key may take over the name of another key of its secret. It waits until an earlier turn has
 * given that other key its new name: if that name were refused, the other key's value would no longer exist outside. Keys
 * that swap names in a circle share the last turn.
 */
export function inTurns(writes: Write[]): Write[][] {
  if (!writes.some(hasPredecessor)) return [writes];
  const turns: Write[][] = [];
  for (let left = writes; left.length > 0;) {
    const moving = new Set(left.map((item) => keyOf(item, item.subKey)));
    const ready = left.filter(
      (item) => !hasPredecessor(item) || !moving.has(keyOf(item, predecessorOf(item))),
    );
    const turn = new Set(ready.length > 0 ? ready : left);
    turns.push([...turn]);
    left = left.filter((item) => !turn.has(item));
  }
  return turns;
}

/**
 * The writes of a turn that may go out. If the predecessor of a write failed, the entry of that name stays as it is, and
 * a new row says why. If the predecessor was left for later, the write is left for later too.
 */
export async function withoutWaiting(turn: Write[], tools: PushTools): Promise<Write[]> {
  const together = new Set(turn.map((item) => keyOf(item, item.subKey)));
  const ready: Write[] = [];
  for (const item of turn) {
    const state =
      hasPredecessor(item) && !together.has(keyOf(item, predecessorOf(item))) ? stateOf(item) : 'free';
    if (state === 'free') ready.push(item);
    else if (state === 'failed') await noteWaiting(item, tools);
    else item.plan.unfinished = true;
  }
  return ready;
}

// The state of the key that had the name until now.
function stateOf(item: Write): 'free' | 'failed' | 'later' {
  const { entries, writes, refused } = item.plan;
  const predecessor = predecessorOf(item);
  const isWanted = [...writes, ...refused].some(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (!isWanted) return 'free';
  const results = entries.filter(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (results.some(isWritten)) return 'free';
  return results.length > 0 ? 'failed' : 'later';
}

async function noteWaiting({ plan, name, subKey }: Write, tools: PushTools): Promise<void> {
  const message = `${name} has the value of another key, which could not be written under its new name yet`;
  const reservation = {
    associationId: plan.order.id,
    destinationId: plan.order.destination.id,
    subKey: ledgerKey(subKey),
    externalName: name,
    nameKey: null,
  };
  try {
    const [entry] = (await reserveEntries(tools.parts.context.db, [reservation])).entries.values();
    if (entry) recordFailed(plan, entry, entry.subKey, refusal('not_replaced', message), 'none', 0);
    else plan.unfinished = true;
  } catch (error) {
    plan.failures.push(logged(error, tools.parts));
  }
}

function hasPredecessor(item: Write): boolean {
  return predecessorOf(item) !== ledgerKey(item.subKey) && item.known.writtenMsAgo !== null;
}

function predecessorOf({ known }: Write): string {
  return known.subKey;
}

function keyOf({ plan }: Write, subKey: string): string {
  return `${plan.order.id}/${ledgerKey(subKey)}`;
}
