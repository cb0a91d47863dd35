import { transact } from '../../../libs/db/transact.ts';
import type { Config } from '../../../libs/config/config.ts';
import { createRootToken } from '../../../libs/store/access/root-token.ts';
import { claimBootstrap } from '../../../libs/store/maintenance/installation.ts';
import { withInstallation } from './open-installation.ts';

/**
 * Creates the first root token; null if it was created earlier. The claim and the token are one transaction: after a
 * crash, neither exists.
 */
export function makeFirstRootToken(config: Config): Promise<string | null> {
  return withInstallation(config, ({ db, hashKey }) =>
    transact(db, async (transaction) => {
      if (!(await claimBootstrap(transaction))) return null;
      return await createRootToken(transaction, hashKey);
    }),
  );
}
