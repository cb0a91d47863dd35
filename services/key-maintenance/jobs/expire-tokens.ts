import {
  deleteExpiredLogIns,
  deleteExpiredSignOns,
  deleteExpiredTokens,
} from '../../../libs/store/maintenance/retention.ts';
import { inBatches } from '../../../libs/db/in-batches.ts';
import type { Work } from '../job.ts';

/** Deletes expired tokens with the tokens below them, and expired data of single sign-on and of log-ins of machines. */
export const expireTokens: Work = {
  name: 'expire-tokens',
  description: 'Delete expired tokens',
  run: async ({ services, now, change }) => ({
    tokens: await inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
      deleteExpiredTokens(transaction, { now, limit }),
    ),
    sign_ons: await inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
      deleteExpiredSignOns(transaction, { now, limit }),
    ),
    log_ins: await inBatches(change, services.config.BATCH_ROWS, (transaction, limit) =>
      deleteExpiredLogIns(transaction, { now, limit }),
    ),
  }),
};
