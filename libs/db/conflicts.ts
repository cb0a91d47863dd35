import { setTimeout as sleep } from 'node:timers/promises';
import { isSqlState } from './sql-state.ts';

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const RETRIES = 3;
// The pause lets the other transaction go first; otherwise both might deadlock again in the same way.
const PAUSE_MS = 50;

/** Whether Postgres ended the statement because of another transaction: nothing was changed, and it may be retried. */
export function isConflict(error: unknown): boolean {
  return isSqlState(error, DEADLOCK, SERIALIZATION_FAILURE);
}

/**
 * Runs work that Postgres undoes as a whole, and again if another transaction is the reason; four times at most. A loop,
 * because every statement passes here, and p-retry costs as much as a short one.
 */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = RETRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
      await sleep(PAUSE_MS * (RETRIES + 1 - left) * (1 + Math.random()));
    }
  }
}
