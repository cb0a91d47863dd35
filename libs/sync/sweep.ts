import { findDueDestinations, millisecondsToNextDue } from '../store/orders/sweep.ts';
import type { EngineParts } from './push/call.ts';
import type { Rollouts } from './rollouts.ts';

const SHORTEST_MS = 20;

/**
 * Looks for due work that no message announced: retries, ends of throttling, expired versions, leases of dead workers,
 * whatever the broker lost, and changes that have not reached all associations. Runs every SWEEP_INTERVAL, and sooner where something is known to become due. Undo: `stop`.
 */
export function startSweep(
  parts: EngineParts,
  notify: (destinationIds: number[]) => Promise<void>,
  rollouts: Rollouts,
): { stop: () => void } {
  const { context, destination } = parts;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const sweep = async (): Promise<void> => {
    let delay = context.config.SWEEP_INTERVAL * (0.75 + Math.random() / 2);
    rollouts.begin();
    try {
      const due = await findDueDestinations(context.db, destination.type);
      if (due.length > 0) await notify(due);
      const next = await millisecondsToNextDue(context.db, destination.type);
      if (next !== null) delay = Math.min(delay, Math.max(SHORTEST_MS, next));
    } catch (error) {
      context.log.warn({ error }, 'the sweep failed and is tried again');
    }
    if (!stopped) timer = setTimeout(() => void sweep(), delay);
  };

  void sweep();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
