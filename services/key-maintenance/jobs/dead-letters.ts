import type { Work } from '../job.ts';

/** Shows the messages that nobody could read; by `--replay` puts them back where they came from. */
export const deadLetters: Work = {
  name: 'dead-letters',
  description: 'List the messages that nobody could read; with --replay, put them back where they came from',
  run: async ({ services, change, options, report }) => {
    const counts = await services.deadLetters.visit((letter) => {
      report({ ...letter });
      return options.replay ? 'replay' : 'keep';
    });
    // Nothing in the database: but who put messages back shall be found in the audit trail.
    if (counts.replayed > 0) await change(() => Promise.resolve(counts.replayed));
    return counts;
  },
};
