import type { Commands } from '../../../../libs/commands/commands.ts';
import type { DestinationSummaryAnswer } from '../../contract/summary.ts';

/**
 * Says of no destination that its changes are not taken while a worker of its type runs: a busy one takes them later. Says
 * nothing either if the broker cannot tell who runs.
 */
export async function keepUnserved(
  destinations: DestinationSummaryAnswer[],
  { hasWorker }: Pick<Commands, 'hasWorker'>,
): Promise<DestinationSummaryAnswer[]> {
  const waiting = destinations.filter(({ unclaimed_since: since }) => since !== null);
  const types = [...new Set(waiting.map(({ store_type: type }) => type))];
  const served = await Promise.all(types.map((type) => hasWorker(`connector.${type}`)));
  const unserved = new Set(types.filter((_, index) => served[index] === false));
  return destinations.map((one) => (unserved.has(one.store_type) ? one : { ...one, unclaimed_since: null }));
}
