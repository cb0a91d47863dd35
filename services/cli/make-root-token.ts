import { listSetting, type Config } from '../../libs/config/config.ts';
import { loadKeyring } from '../../libs/crypto/keyring.ts';
import { connect } from '../../libs/db/connect.ts';
import { schemaFault } from '../../libs/db/migrate.ts';
import { claimBootstrap, loadInstallation } from '../../libs/store/maintenance/installation.ts';
import { createToken } from '../../libs/store/access/tokens.ts';
import { waitForPostgres } from './wait-for-postgres.ts';

/** The first root token; null where it was made earlier. Claim and token are one transaction: a crash leaves neither. */
export async function makeRootToken(config: Config): Promise<string | null> {
  const keyring = loadKeyring({
    key: config.SEALIFT_MASTER_KEY,
    file: config.SEALIFT_MASTER_KEY_FILE,
    oldKeys: listSetting(config.SEALIFT_OLD_MASTER_KEYS),
  });
  const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-bootstrap' });
  try {
    await waitForPostgres(db);
    const fault = await schemaFault(db);
    if (fault) throw new Error(fault);
    const { hashKey } = await loadInstallation(db, keyring);
    return await db.transaction(async (transaction) => {
      if (!(await claimBootstrap(transaction))) return null;
      const { secret } = await createToken(transaction, hashKey, {
        namespaceId: 'root',
        parentId: null,
        displayName: 'root',
        policies: ['root'],
        renewable: false,
        ttlSeconds: 0,
        explicitMaxTtlSeconds: 0,
      });
      return secret;
    });
  } finally {
    await db.destroy();
  }
}
