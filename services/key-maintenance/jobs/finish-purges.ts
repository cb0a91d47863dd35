import { announceExpiredLeases } from '../../../libs/store/orders/due.ts';
import { deletePurged, notePurgeErrors } from '../../../libs/store/destinations/purges.ts';
import type { Work } from '../job.ts';

/**
 * Cleans up after a lost connector worker: notifies workers of expired leases (any worker of the type takes over),
 * deletes destinations whose purge has nothing left to remove, and records why a purge is stuck.
 */
export const finishPurges: Work = {
  name: 'finish-purges',
  description: 'Notify workers of expired leases and finish purges of destinations',
  run: async ({ services, now, change }) => {
    const expired = await announceExpiredLeases(services.db, now);
    let purged: Awaited<ReturnType<typeof deletePurged>> = [];
    await change(async (transaction) => {
      purged = await deletePurged(transaction);
      return purged.length;
    });
    for (const destination of purged)
      services.events.send({ name: 'destination.deleted', data: destination });
    const stuck = await change(notePurgeErrors);
    return { expired_leases: expired, purged: purged.length, purges_failed: stuck };
  },
};
