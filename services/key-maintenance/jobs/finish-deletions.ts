import { inBatches } from '../../../libs/db/in-batches.ts';
import { continueDeletion, findDeletedDestinations } from '../../../libs/store/destinations/delete.ts';
import { continueMountDeletion, findDeletedMounts } from '../../../libs/store/secrets/mounts-delete.ts';
import type { Work } from '../job.ts';

/** Removes the rows of deleted destinations and mounts that were too many for one transaction. */
export const finishDeletions: Work = {
  name: 'finish-deletions',
  description: 'Remove remaining data of deleted destinations and mounts',
  run: async ({ services, change }) => {
    const { db, config } = services;
    const summary = { associations: 0, secrets: 0 };
    for (const id of await findDeletedDestinations(db))
      summary.associations += await inBatches(change, config.BATCH_ROWS, (transaction, limit) =>
        continueDeletion(transaction, id, limit),
      );
    // After the associations, which may refer to these secrets.
    for (const id of await findDeletedMounts(db))
      summary.secrets += await inBatches(change, config.BATCH_ROWS, (transaction, limit) =>
        continueMountDeletion(transaction, id, limit),
      );
    return summary;
  },
};
