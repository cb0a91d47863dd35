import { canTellOwner } from '../../../libs/connector/marks.ts';
import { invalidateLedger } from '../../../libs/store/maintenance/after-restore.ts';
import { catalog } from '../../connectors/catalog.ts';
import type { Work } from '../job.ts';
import { mendCounts } from './keep-counts.ts';

const BATCH = 1000;

/**
 * Run it after the database was restored from a backup: the stores hold entries that were pushed since, and the ledger
 * does not know them. Checks or writes every entry again. Harmless at other times, but as costly as pushing everything.
 */
export const invalidateLedgerJob: Work = {
  name: 'invalidate-ledger',
  formerName: 'distrust-ledger',
  description: 'After a restore: treat every entry as unconfirmed, and push everything again',
  run: async (run) => {
    const { change } = run;
    const marking = catalog.filter(canTellOwner).map(({ type }) => type);
    const summary = { associations: 0, entries: 0 };
    let afterId = 0;
    for (;;) {
      let lastId: number | null = null;
      await change(async (transaction) => {
        const found = await invalidateLedger(transaction, { afterId, limit: BATCH, marking });
        lastId = found.lastId;
        summary.associations += found.associations;
        summary.entries += found.entries;
        return found.associations;
      });
      if (lastId === null) break;
      afterId = lastId;
    }
    // A restore of the data alone leaves what the dump had counted, and what the triggers counted while the rows came.
    const { counts } = await mendCounts(run);
    return { ...summary, counts };
  },
};
