import type { EventSender } from '../../queue/events.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import { causeOf, outcomeOf } from './measure.ts';
import type { EngineParts } from './parts.ts';

/** One summary line and one event for each attempt: ids, outcomes and codes, never a value or a name of a secret's key. */
export function announce(results: OrderResult[], parts: EngineParts, events: EventSender): void {
  for (const result of results) {
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
    parts.context.log.info(
      { ...summary, ms: Math.max(0, ...result.history.map((line) => line.durationMs)) },
      'sync',
    );
    events.send({ name: 'association.status', data: { ...summary, type: parts.destination.type } });
  }
}
