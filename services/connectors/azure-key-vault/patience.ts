import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from './secret-state.ts';
import { interrupted } from './time-limit.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

/**
 * Deleting, recovering and purging go on at the vault after it has answered. Repeats `step` with growing pauses while it
 * fails because of that, until `limitMs` are over; then its last failure is thrown.
 */
export async function outwait<Output>(
  limitMs: number,
  signal: AbortSignal,
  step: () => Promise<Output>,
): Promise<Output> {
  const end = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (!isUnderWay(error) || performance.now() + pauseMs > end) throw error;
    }
    await wait(pauseMs, undefined, { signal }).catch(() => {
      throw interrupted();
    });
  }
}

function isUnderWay(error: unknown): boolean {
  return hasCode(error, 'deletion_under_way', 'recovery_under_way', 'deleted_recoverable');
}
