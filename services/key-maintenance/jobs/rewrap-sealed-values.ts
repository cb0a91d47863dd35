import { rewrap, UnsealError } from '../../../libs/crypto/seal.ts';
import {
  findSealed,
  replaceSealed,
  sealedColumns,
  type SealedRow,
} from '../../../libs/store/maintenance/sealed-columns.ts';
import type { JobSummary, Work } from '../job.ts';

const BATCH = 500;

/**
 * Wraps every sealed value with the present master key, without decrypting the values. After a run without problems,
 * earlier master keys are no longer needed.
 */
export const rewrapSealedValues: Work = {
  name: 'rewrap-sealed-values',
  description: 'After a change of the master key: wrap all data keys with the current one',
  run: async ({ services, change }) => {
    const { db, keyring, log } = services;
    const summary: JobSummary & { rewrapped: number; problems: number } = { rewrapped: 0, problems: 0 };
    for (const column of sealedColumns) {
      let after: SealedRow['key'] | undefined;
      for (;;) {
        const rows = await findSealed(db, column, { notBy: keyring.current.id, after, limit: BATCH });
        if (rows.length === 0) break;
        after = rows.at(-1)?.key;
        summary.rewrapped += await change(async (transaction) => {
          let count = 0;
          for (const row of rows) {
            const sealed = rewrapped(row);
            if (sealed) count += await replaceSealed(transaction, column, row, sealed);
          }
          return count;
        });
      }
    }
    return summary;

    function rewrapped(row: SealedRow): Buffer | null {
      try {
        return rewrap(keyring, row.sealed, row.identity);
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        summary.problems += 1;
        log.error(
          { value: row.identity, reason: error.message },
          'a sealed value could not be wrapped with the current master key',
        );
        return null;
      }
    }
  },
};
