import { findTroubled, noteIncidents } from '../../../libs/store/incidents/note.ts';
import type { Work } from '../job.ts';

/** Notes what workers did not: one that died after a result, a destination that is gone. */
export const noteIncidentsJob: Work = {
  name: 'note-incidents',
  description: 'Open, change and close incidents by what fails now, where no worker has done so',
  run: async ({ services, change, signal }) => {
    const troubled = await findTroubled(services.db);
    for (const id of troubled) {
      if (signal.aborted) break;
      await change(async (transaction) => {
        await noteIncidents(transaction, [id]);
        // What fails is in the history already, so the audit trail needs no entry.
        return 0;
      });
    }
    return { destinations: troubled.length };
  },
};
