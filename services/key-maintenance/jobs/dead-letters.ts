import type { Work } from '../job.ts';

/** Shows unreadable messages; `--replay` puts them back into their queues, `--discard` deletes them. */
export const deadLetters: Work = {
  name: 'dead-letters',
  description:
    'List the messages that no process could read; --replay puts them back, --discard deletes them',
  run: async ({ services, change, options, report }) => {
    const counts = await services.deadLetters.visit((letter) => {
      report({ ...letter });
      return options.discard ? 'discard' : options.replay ? 'replay' : 'keep';
    });
    // Changes nothing in the database, but the audit trail must show that messages were put back or deleted.
    const moved = counts.replayed + counts.discarded;
    if (moved > 0) await change(() => Promise.resolve(moved));
    return counts;
  },
};
