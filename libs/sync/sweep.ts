import { continueRolloutAlone, findRollouts } from '../store/destinations/rollout.ts';
import { findDueDestinations, millisecondsToNextDue } from '../store/orders/due.ts';
import type { Engine } from './engine.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

// What is due now was notified just now: without a pause, sweeps would find it again until it is claimed.
const SHORTEST_MS = 20;

/**
 * Looks for due work that no message announced: retries, ends of throttling, expired versions, leases of dead workers,
 * messages that the broker lost, and changes that have not reached all associations. Runs every SWEEP_INTERVAL, or sooner
 * if it knows when something becomes due. Undo: `stop`, which ends after the running batch.
 */
export function startSweep(engine: Engine, scheduler: Scheduler): { stop: () => Promise<void> } {
  const { context, destination } = engine;
  const rollouts = createRollouts(engine, scheduler);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const sweep = async (): Promise<void> => {
    let delay = context.config.SWEEP_INTERVAL * (0.75 + Math.random() / 2);
    try {
      const due = await findDueDestinations(context.db, destination.type);
      if (due.length > 0) await scheduler.notify(due);
      const next = await millisecondsToNextDue(context.db, destination.type);
      if (next !== null) delay = Math.min(delay, Math.max(SHORTEST_MS, next));
    } catch (error) {
      context.log.warn({ error }, 'the sweep failed; it is tried again');
    }
    // Beside the sweep, it would need a second connection, which then stays open.
    rollouts.begin();
    if (!stopped) timer = setTimeout(() => void sweep(), delay);
  };

  void sweep();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await rollouts.finish();
    },
  };
}

// `begin` does nothing while a former call is still at work.
type Rollouts = { begin: () => void; finish: () => Promise<void> };

// Brings changes of destinations to all of their associations, a batch of each destination in turn. Any number of workers
// may do it at the same time: they wait for each other's batches.
function createRollouts(engine: Engine, scheduler: Scheduler): Rollouts {
  const { context, destination, drain } = engine;
  const { db, log, config } = context;
  let working: Promise<void> | undefined;

  const carryOn = async (destinationId: number): Promise<void> => {
    const reached = await continueRolloutAlone(db, destinationId, config.BATCH_ROWS);
    if (reached < config.BATCH_ROWS) await scheduler.notify([destinationId]);
  };
  // Ends when only destinations with a failed batch are left.
  const work = async (): Promise<void> => {
    const failed = new Set<number>();
    for (;;) {
      const ids = (await findRollouts(db, destination.type)).filter((id) => !failed.has(id));
      if (ids.length === 0) return;
      for (const id of ids) {
        if (drain.aborted) return;
        await carryOn(id).catch((error: unknown) => {
          failed.add(id);
          log.warn(
            { error, destination: id },
            'a change of a destination could not continue; it is tried again',
          );
        });
      }
    }
  };
  return {
    begin: () => {
      if (drain.aborted) return;
      working ??= work()
        .catch((error: unknown) =>
          log.warn({ error }, 'changes of destinations could not continue; they are tried again'),
        )
        .finally(() => {
          working = undefined;
        });
    },
    finish: async () => working,
  };
}
