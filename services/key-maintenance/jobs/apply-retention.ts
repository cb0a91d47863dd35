import { deleteAuditEvents } from '../../../libs/store/audit/events.ts';
import { deleteIncidents } from '../../../libs/store/incidents/note.ts';
import { deleteSyncHistory, destroyDeletedVersions } from '../../../libs/store/maintenance/retention.ts';
import { findRetentionPolicy, keptDaysOf } from '../../../libs/store/settings/retention.ts';
import { inBatches } from '../../../libs/db/in-batches.ts';
import type { Work } from '../job.ts';

type Remove = typeof deleteSyncHistory;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes old data after the time in the retention policy. Without a policy, the configuration sets the time for history
 * and audit entries, and deleted versions stay. Never touches live data.
 */
export const applyRetention: Work = {
  name: 'apply-retention',
  description:
    'Apply the data retention policy to sync history, audit entries and soft-deleted secret versions',
  run: async ({ services, now, change }) => {
    const policy = await findRetentionPolicy(services.db);
    const kept = keptDaysOf(policy, services.config);
    const apply = async (days: number, remove: Remove): Promise<number> => {
      if (days === 0) return 0;
      const before = new Date(now.getTime() - days * DAY_MS);
      return inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
        remove(transaction, { before, limit }),
      );
    };
    return {
      days: policy?.delete_older_than_days ?? null,
      incidents: await apply(kept.history, deleteIncidents),
      history: await apply(kept.history, deleteSyncHistory),
      audit: await apply(kept.audit, deleteAuditEvents),
      versions: await apply(kept.deletedVersions, destroyDeletedVersions),
    };
  },
};
