import { reserveEntries } from '../../store/orders/reserve.ts';
import { ledgerKey } from '../../connector/names.ts';
import { recordFailed } from './attempt.ts';
import { refusal } from './failure.ts';
import { isWritten, logged, type PushTask, type PushTools } from './task.ts';

/**
 * Splits tasks into turns. A key that comes to the name of another key of its secret waits for the turn in which that one
 * gets its new name: were that refused, its value would be nowhere outside any more. Keys that change places in a circle
 * have the last turn, together.
 */
export function inTurns(tasks: PushTask[]): PushTask[][] {
  if (!tasks.some(hasPredecessor)) return [tasks];
  const turns: PushTask[][] = [];
  for (let left = tasks; left.length > 0;) {
    const moving = new Set(left.map((item) => keyOf(item, item.wanted.subKey)));
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
 * The tasks of a turn that may be written. The others leave the entry of that name as it is, and a row of their own says
 * why; where their predecessor was left for later, so are they.
 */
export async function withoutWaiting(turn: PushTask[], tools: PushTools): Promise<PushTask[]> {
  const together = new Set(turn.map((item) => keyOf(item, item.wanted.subKey)));
  const ready: PushTask[] = [];
  for (const item of turn) {
    const state =
      hasPredecessor(item) && !together.has(keyOf(item, predecessorOf(item))) ? stateOf(item) : 'free';
    if (state === 'free') ready.push(item);
    else if (state === 'failed') await noteWaiting(item, tools);
    else item.prepared.attempt.unfinished = true;
  }
  return ready;
}

// What became of the key that has the name until now.
function stateOf(item: PushTask): 'free' | 'failed' | 'later' {
  const { attempt, wanted, refused } = item.prepared;
  const predecessor = predecessorOf(item);
  const isWanted = [...wanted, ...refused].some(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (!isWanted) return 'free';
  const results = attempt.entries.filter(({ subKey }) => ledgerKey(subKey) === predecessor);
  if (results.some(isWritten)) return 'free';
  return results.length > 0 ? 'failed' : 'later';
}

async function noteWaiting({ prepared: { attempt }, wanted }: PushTask, tools: PushTools): Promise<void> {
  const message = `${wanted.name} holds the value of another key, which could not be written under its new name yet`;
  const reservation = {
    associationId: attempt.order.id,
    destinationId: attempt.order.destination.id,
    subKey: ledgerKey(wanted.subKey),
    externalName: wanted.name,
    nameKey: null,
  };
  try {
    const [entry] = (await reserveEntries(tools.parts.context.db, [reservation])).entries.values();
    if (entry) recordFailed(attempt, entry, entry.subKey, refusal('not_replaced', message), 'none', 0);
    else attempt.unfinished = true;
  } catch (error) {
    attempt.failures.push(logged(error, tools.parts));
  }
}

function hasPredecessor(item: PushTask): boolean {
  return predecessorOf(item) !== ledgerKey(item.wanted.subKey) && item.wanted.entry.writtenMsAgo !== null;
}

function predecessorOf({ wanted }: PushTask): string {
  return wanted.entry.subKey;
}

function keyOf({ prepared }: PushTask, subKey: string): string {
  return `${prepared.attempt.order.id}/${ledgerKey(subKey)}`;
}
