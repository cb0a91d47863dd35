import { deleteAuditEvents } from '../../../libs/store/audit.ts';
import { deleteSyncHistory, destroyDeletedVersions } from '../../../libs/store/maintenance.ts';
import { findRetentionPolicy } from '../../../libs/store/settings-retention.ts';
import { inBatches } from '../in-batches.ts';
import type { Work } from '../job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is kept about the past goes when it is older than the policy says; without a policy all of it stays. Nothing live is touched. */
export const applyRetention: Work = {
  name: 'apply-retention',
  description:
    'Apply the data retention policy to sync history, audit entries and soft-deleted secret versions',
  run: async ({ services, now, change }) => {
    const policy = await findRetentionPolicy(services.db);
    if (!policy) return { days: null, history: 0, audit: 0, versions: 0 };
    const before = new Date(now.getTime() - policy.delete_older_than_days * DAY_MS);
    return {
      days: policy.delete_older_than_days,
      history: await inBatches(change, (transaction, limit) =>
        deleteSyncHistory(transaction, { before, limit }),
      ),
      audit: await inBatches(change, (transaction, limit) =>
        deleteAuditEvents(transaction, { before, limit }),
      ),
      versions: await inBatches(change, (transaction, limit) =>
        destroyDeletedVersions(transaction, { before, limit }),
      ),
    };
  },
};
