import { deleteAuditEvents } from '../../../libs/store/audit/events.ts';
import { deleteIncidents } from '../../../libs/store/incidents/note.ts';
import { deleteSyncHistory, destroyDeletedVersions } from '../../../libs/store/maintenance/retention.ts';
import { auditDaysOf, findRetentionPolicy } from '../../../libs/store/settings/retention.ts';
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
    const days = policy?.delete_older_than_days ?? null;
    const apply = async (kept: number, remove: Remove): Promise<number> => {
      if (kept === 0) return 0;
      const before = new Date(now.getTime() - kept * DAY_MS);
      return inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
        remove(transaction, { before, limit }),
      );
    };
    const { HISTORY_RETENTION_DAYS, AUDIT_RETENTION_DAYS } = services.config;
    return {
      days,
      incidents: await apply(days ?? HISTORY_RETENTION_DAYS, deleteIncidents),
      history: await apply(days ?? HISTORY_RETENTION_DAYS, deleteSyncHistory),
      audit: await apply(days === null ? AUDIT_RETENTION_DAYS : auditDaysOf(days), deleteAuditEvents),
      versions: await apply(days ?? 0, destroyDeletedVersions),
    };
  },
};
