import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

/** Ends a call when the caller aborts it or after `limitMs`, even a call that ignores its signal. Throws kind external. */
export async function withinLimit<Output>(
  limitMs: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(failures.fail(signal.aborted ? 'call_interrupted' : 'timed_out'));
    if (ending.aborted) end();
    else ending.addEventListener('abort', end, { once: true });
  });
  return Promise.race([ended, call(ending)]);
}

/**
 * The vault goes on deleting, recovering and purging after its answer. Repeats `step` with growing pauses while it fails
 * because of that, until `limitMs` are over. Then throws its last failure.
 */
export async function retryWhileUnderWay<Output>(
  limitMs: number,
  signal: AbortSignal,
  step: () => Promise<Output>,
): Promise<Output> {
  const end = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      const isUnderWay = hasCode(error, 'deletion_under_way', 'recovery_under_way', 'deleted_recoverable');
      if (!isUnderWay || performance.now() + pauseMs > end) throw error;
    }
    await wait(pauseMs, undefined, { signal }).catch(() => {
      throw failures.fail('call_interrupted');
    });
  }
}
