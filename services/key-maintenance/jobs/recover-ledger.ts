import { findStaleLedger, noteFreshLedger } from '../../../libs/store/maintenance/lost-writes.ts';
import type { Work } from '../job.ts';
import { invalidateLedgerJob } from './invalidate-ledger.ts';

/** After a failover that lost changes, or may have: the stores may hold entries that the ledger does not know. */
export const recoverLedger: Work = {
  name: 'recover-ledger',
  description: 'After a failover that may have lost changes: push everything again',
  run: async (run) => {
    const id = await findStaleLedger(run.services.db);
    if (id === null) return { associations: 0, entries: 0, counts: 0 };
    const summary = await invalidateLedgerJob.run(run);
    await run.change((transaction) => noteFreshLedger(transaction, id));
    return summary;
  },
};
