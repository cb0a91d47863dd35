import { transact } from '../db/transact.ts';
import { continueRollout, findRollouts } from '../store/destinations/rollout.ts';
import type { EngineParts } from './push/call.ts';

// Whoever holds a row for longer keeps only this destination waiting, until the next sweep.
const LOCK_TIMEOUT = '1s';

/** `begin` does nothing while it is at work already; `stop` ends after the batch that is under way. */
export type Rollouts = { begin: () => void; stop: () => Promise<void> };

/**
 * Carries changes of destinations on to all of their associations, a batch of each destination in turn. Any number of
 * workers may do it side by side: they wait for each other's batches.
 */
export function createRollouts(
  parts: EngineParts,
  notify: (destinationIds: number[]) => Promise<void>,
): Rollouts {
  const { context, destination, draining } = parts;
  const { db, log, config } = context;
  let working: Promise<void> | undefined;

  const carryOn = async (destinationId: number): Promise<void> => {
    const reached = await transact(db, async (transaction) => {
      await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      return continueRollout(transaction, destinationId, config.BATCH_ROWS);
    });
    if (reached < config.BATCH_ROWS) await notify([destinationId]);
  };
  // Ends when none is left but those of which a batch failed.
  const work = async (): Promise<void> => {
    const failed = new Set<number>();
    for (;;) {
      const ids = (await findRollouts(db, destination.type)).filter((id) => !failed.has(id));
      if (ids.length === 0) return;
      for (const id of ids) {
        if (draining()) return;
        await carryOn(id).catch((error: unknown) => {
          failed.add(id);
          log.warn({ error, destination: id }, 'a change could not be carried on and is tried again');
        });
      }
    }
  };
  return {
    begin: () => {
      if (draining()) return;
      working ??= work()
        .catch((error: unknown) => log.warn({ error }, 'changes of destinations are looked for again'))
        .finally(() => {
          working = undefined;
        });
    },
    stop: async () => working,
  };
}
