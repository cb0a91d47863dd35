import { findDueDestinations, millisecondsToNextDue } from '../store/orders/sweep.ts';
import type { EngineParts } from './parts.ts';

const SHORTEST_MS = 20;

/**
 * Looks for due work that no message announced: retries, ends of throttling, expired versions, leases of dead workers,
 * and whatever the broker lost. Runs every SWEEP_INTERVAL, and sooner where something is known to become due. Undo: `stop`.
 */
export function startSweep(
  parts: EngineParts,
  wake: (destinationIds: number[]) => Promise<void>,
): { stop: () => void } {
  const { context, destination } = parts;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const sweep = async (): Promise<void> => {
    let delay = context.config.SWEEP_INTERVAL * (0.75 + Math.random() / 2);
    try {
      const due = await findDueDestinations(context.db, destination.type);
      if (due.length > 0) await wake(due);
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
