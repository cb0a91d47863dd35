import type { Config } from '../../../libs/config/config.ts';
import { createRootToken } from '../../../libs/store/access/root-token.ts';
import { claimBootstrap } from '../../../libs/store/maintenance/installation.ts';
import { withInstallation } from './open-installation.ts';

/** The first root token; null where it was made earlier. Claim and token are one transaction: a crash leaves neither. */
export function makeFirstRootToken(config: Config): Promise<string | null> {
  return withInstallation(config, ({ db, hashKey }) =>
    db.transaction(async (transaction) => {
      if (!(await claimBootstrap(transaction))) return null;
      return await createRootToken(transaction, hashKey);
    }),
  );
}
