import { deleteExpiredSignOns, deleteExpiredTokens } from '../../../libs/store/maintenance/retention.ts';
import { inBatches } from '../../../libs/db/in-batches.ts';
import type { Work } from '../job.ts';

/** Tokens whose time is over, with the tokens made with them, and what single sign-on no longer needs to remember. */
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
  }),
};
