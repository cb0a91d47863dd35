import { performance } from 'node:perf_hooks';
import type { Metrics } from '../../metrics/metrics.ts';
import { createCodeLabels } from '../../metrics/outcome.ts';
import type { EventSender } from '../../queue/events.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import type { Engine } from '../engine.ts';

/**
 * Reports the results of attempts, once they are stored: in the metrics, in one summary line for each, and in one event
 * for all that were stored together. It reports ids, outcomes and codes, never a value or the name of a secret or key.
 */
export function createAnnouncer(
  { context, destination }: Engine,
  events: EventSender,
): (results: OrderResult[]) => void {
  const { type } = destination;
  const measure = createMeter(context.metrics, type);
  return (results) => {
    measure(results);
    const associations = results.map((result) => {
      const summary = summarize(result);
      const ms = Math.max(0, ...result.history.map((line) => line.durationMs));
      context.log.info({ ms, ...summary }, 'sync');
      return summary;
    });
    events.send({ name: 'association.status', data: { type, associations } });
  };
}

function summarize(result: OrderResult) {
  return {
    association: result.id,
    destination: result.destinationId,
    generation: result.generation,
    outcome: outcomeOf(result),
    code: causeOf(result)?.code,
    entries: result.entries.length,
    written: result.entries.filter((entry) => entry.wrote).length,
    attempts: result.attempts,
  };
}

function createMeter(metrics: Metrics, type: string): (results: OrderResult[]) => void {
  const codeLabel = createCodeLabels();
  const throttledUntil = new Map<number, number>();
  return (results) => {
    const now = performance.now();
    for (const result of results) {
      metrics.attempts.inc({ type, outcome: outcomeOf(result), code: codeLabel(causeOf(result)?.code) });
      if (result.attempts > 0 && (result.lookAgainMs ?? 0) > 0) metrics.retries.inc({ type });
      for (const { action, cause, durationMs } of result.history) {
        if (['unchanged', 'gone', 'none'].includes(action)) continue;
        metrics.pushSeconds.observe({ type, result: cause ? 'failed' : 'done' }, durationMs / 1000);
      }
      // Several results of one destination may report the same wait. It counts once.
      const until = now + result.throttleMs;
      const known = throttledUntil.get(result.destinationId) ?? now;
      if (until <= known) continue;
      metrics.throttledSeconds.inc({ type }, (until - Math.max(known, now)) / 1000);
      throttledUntil.set(result.destinationId, until);
    }
    for (const [id, until] of throttledUntil) if (until <= now) throttledUntil.delete(id);
  };
}

// The cause that users see: the first failed entry's cause, or else the attempt's own.
function causeOf(result: OrderResult): OrderResult['failure'] {
  return result.entries.find((entry) => entry.cause)?.cause ?? result.failure;
}

function outcomeOf(result: OrderResult): string {
  // A wait that the store asked for is not a failure.
  if (result.throttleMs > 0 && !result.settled) return 'THROTTLED';
  const failed = causeOf(result);
  if (failed) return failed.class;
  if (result.unlinked) return 'REMOVED';
  if (result.entries.some(({ status }) => status === 'SYNCING' || status === 'UNSYNCING'))
    return 'UNCONFIRMED';
  return result.settled ? 'SETTLED' : 'UNFINISHED';
}
