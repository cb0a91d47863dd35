import type { Work } from '../job.ts';

/** Shows unreadable messages; with `--replay` puts them back into their queues. */
export const deadLetters: Work = {
  name: 'dead-letters',
  description: 'List the messages that no process could read; with --replay, put them back into their queues',
  run: async ({ services, change, options, report }) => {
    const counts = await services.deadLetters.visit((letter) => {
      report({ ...letter });
      return options.replay ? 'replay' : 'keep';
    });
    // Changes nothing in the database, but the audit trail must show that messages were put back.
    if (counts.replayed > 0) await change(() => Promise.resolve(counts.replayed));
    return counts;
  },
};
