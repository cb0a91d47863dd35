import { inBatches } from '../../../libs/db/in-batches.ts';
import { correctCounts, correctStates, foldCounts, ripen } from '../../../libs/store/counts/fold-counts.ts';
import type { JobRun, Work } from '../job.ts';

/** Adds up the changes of the counts of associations, which each statement appends. */
export const keepCounts: Work = {
  name: 'keep-counts',
  description: 'Add up the changes of the counts of associations',
  run: async ({ services, change }) => {
    const ripe = await inBatches(change, services.config.BATCH_ROWS, ripen);
    let counts = 0;
    await change(async (transaction) => {
      counts = await foldCounts(transaction);
      // Nothing that anybody sees has changed, so the audit trail needs no entry.
      return 0;
    });
    return { counts, ripe };
  },
};

/** Compares the kept counts of associations with the associations, and mends what differs. */
export const checkCounts: Work = {
  name: 'check-counts',
  description: 'Compare the kept counts of associations with the associations, and mend what differs',
  run: async (run) => {
    const { states, counts } = await mendCounts(run);
    if (states + counts > 0) run.report({ associations: states, counts });
    return { associations: states, counts, problems: states + counts > 0 ? 1 : 0 };
  },
};

/** Mends what associations say of their entries, and their kept counts. Returns how many of each differed. */
export async function mendCounts({
  services,
  change,
  signal,
}: Pick<JobRun, 'services' | 'change' | 'signal'>): Promise<{ states: number; counts: number }> {
  let states = 0;
  let afterId = 0;
  while (!signal.aborted) {
    let last: number | null = null;
    await change(async (transaction) => {
      const done = await correctStates(transaction, { afterId, limit: services.config.BATCH_ROWS });
      last = done.last;
      states += done.corrected;
      return done.corrected;
    });
    if (last === null) break;
    afterId = last;
  }
  return { states, counts: await change(correctCounts) };
}
