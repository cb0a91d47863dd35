import { deleteAuditEvents } from '../../../libs/store/audit/events.ts';
import { deleteIncidents } from '../../../libs/store/incidents/note.ts';
import { deleteSyncHistory, destroyDeletedVersions } from '../../../libs/store/maintenance/retention.ts';
import { findRetentionPolicy, keptDaysOf } from '../../../libs/store/settings/retention.ts';
import { inBatches } from '../../../libs/db/in-batches.ts';
import type { PartitionedTable } from '../../../libs/store/maintenance/partitions.ts';
import type { Work } from '../job.ts';
import { keepPartitions } from '../partitions.ts';

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
  run: async (run) => {
    const { services, now, change } = run;
    const policy = await findRetentionPolicy(services.db);
    const kept = keptDaysOf(policy, services.config);
    const remove = (before: Date, rows: Remove): Promise<number> =>
      inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
        rows(transaction, { before, limit }),
      );
    const apply = async (days: number, rows: Remove): Promise<number> =>
      days === 0 ? 0 : remove(new Date(now.getTime() - days * DAY_MS), rows);
    let partitions = 0;
    const applyTo = async (table: PartitionedTable, days: number, rows: Remove): Promise<number> => {
      const { dropped, restBefore } = await keepPartitions(run, table, days);
      partitions += dropped;
      return days === 0 ? 0 : remove(restBefore, rows);
    };
    return {
      days: policy?.delete_older_than_days ?? null,
      incidents: await apply(kept.history, deleteIncidents),
      history: await applyTo('sync_history', kept.history, deleteSyncHistory),
      audit: await applyTo('audit_events', kept.audit, deleteAuditEvents),
      versions: await apply(kept.deletedVersions, destroyDeletedVersions),
      partitions,
    };
  },
};
