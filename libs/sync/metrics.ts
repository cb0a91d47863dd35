import { performance } from 'node:perf_hooks';
import type { Metrics } from '../metrics/metrics.ts';
import { createCodeLabels } from '../metrics/outcome.ts';
import type { OrderResult } from '../store/orders/result.ts';

/** Counts what attempts came to. */
export function createMeter(metrics: Metrics, type: string): (results: OrderResult[]) => void {
  const codeLabel = createCodeLabels();
  const throttledUntil = new Map<number, number>();
  return (results) => {
    const now = performance.now();
    for (const result of results) {
      metrics.attempts.inc({ type, outcome: outcomeOf(result), code: codeLabel(causeOf(result)?.code) });
      if (result.attempts > 0 && (result.lookAgainMs ?? 0) > 0) metrics.retries.inc({ type });
      for (const { action, cause, durationMs } of result.history) {
        if (action === 'unchanged' || action === 'none') continue;
        metrics.pushSeconds.observe({ type, result: cause ? 'failed' : 'done' }, durationMs / 1000);
      }
      // Several results of one destination tell of the same wait.
      const until = now + result.throttleMs;
      const known = throttledUntil.get(result.destinationId) ?? now;
      if (until <= known) continue;
      metrics.throttledSeconds.inc({ type }, (until - Math.max(known, now)) / 1000);
      throttledUntil.set(result.destinationId, until);
    }
    for (const [id, until] of throttledUntil) if (until <= now) throttledUntil.delete(id);
  };
}

/** The cause a person is shown for an attempt: the first failed entry's, else the attempt's own. */
export function causeOf(result: OrderResult): OrderResult['failure'] {
  return result.entries.find((entry) => entry.cause)?.cause ?? result.failure;
}

/** How an attempt ended, in one word. */
export function outcomeOf(result: OrderResult): string {
  // Waiting as the store has asked is not failing.
  if (result.throttleMs > 0 && !result.settled) return 'THROTTLED';
  const failed = causeOf(result);
  if (failed) return failed.class;
  if (result.unlinked) return 'REMOVED';
  if (result.entries.some(({ status }) => status === 'SYNCING' || status === 'UNSYNCING'))
    return 'UNCONFIRMED';
  return result.settled ? 'SETTLED' : 'UNFINISHED';
}
