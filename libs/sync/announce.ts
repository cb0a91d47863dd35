import type { EventSender } from '../queue/events.ts';
import type { OrderResult } from '../store/orders/result.ts';
import { causeOf, outcomeOf } from './metrics.ts';
import type { EngineParts } from './push/call.ts';

/**
 * One summary line for each attempt and one event for all that were stored together: ids, outcomes and codes, never a value
 * or a name of a secret or its key.
 */
export function announce(results: OrderResult[], parts: EngineParts, events: EventSender): void {
  const associations = results.map((result) => {
    const summary = {
      association: result.id,
      destination: result.destinationId,
      generation: result.generation,
      outcome: outcomeOf(result),
      code: causeOf(result)?.code,
      entries: result.entries.length,
      written: result.entries.filter((entry) => entry.wrote).length,
      attempts: result.attempts,
    };
    const ms = Math.max(0, ...result.history.map((line) => line.durationMs));
    parts.context.log.info({ ms, ...summary }, 'sync');
    return summary;
  });
  events.send({ name: 'association.status', data: { type: parts.destination.type, associations } });
}
