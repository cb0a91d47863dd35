import type { Config } from '../../../libs/config/config.ts';
import { connect, type Database } from '../../../libs/db/connect.ts';
import { schemaFault } from '../../../libs/db/migrate.ts';
import { loadKeyring } from '../../../libs/master-key/load.ts';
import { loadInstallation } from '../../../libs/store/maintenance/installation.ts';
import { waitForPostgres } from '../wait-for-postgres.ts';

/**
 * Runs `use` with the database and the key of the token hashes. Only the right master key opens that key. Throws if the
 * schema does not fit this version.
 */
export async function withInstallation<Result>(
  config: Config,
  use: (installation: { db: Database; hashKey: Buffer }) => Promise<Result>,
): Promise<Result> {
  const keyring = await loadKeyring(config);
  const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-root-token' });
  try {
    await waitForPostgres(db);
    const fault = await schemaFault(db);
    if (fault) throw new Error(fault);
    const { hashKey } = await loadInstallation(db, keyring);
    return await use({ db, hashKey });
  } finally {
    await db.destroy();
  }
}
