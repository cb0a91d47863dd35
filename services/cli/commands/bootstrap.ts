import { Command } from 'commander';
import { listSetting, loadConfig, type Config } from '../../../libs/config/config.ts';
import { loadKeyring } from '../../../libs/crypto/keyring.ts';
import { connect } from '../../../libs/db/connect.ts';
import { schemaFault } from '../../../libs/db/migrate.ts';
import { claimBootstrap, loadInstallation } from '../../../libs/store/installation.ts';
import { createToken } from '../../../libs/store/tokens.ts';
import { outputOf } from '../output.ts';
import { waitForPostgres } from '../wait-for-postgres.ts';

/** Prints the first root token, the only time it is ever shown; later only that it was made. */
export function bootstrapCommand(): Command {
  return new Command('bootstrap')
    .description('Make the first root token and print it once')
    .action(async (_options, command: Command) => {
      const token = await bootstrap(loadConfig());
      outputOf(command).show(token === null ? { bootstrapped: true } : { token }, () =>
        token === null
          ? 'the first root token was made earlier; it cannot be shown again'
          : `root token: ${token}\nKeep it: it is never shown again.`,
      );
    });
}

// Null where the token was made earlier. Claim and token are one transaction: a crash leaves neither.
async function bootstrap(config: Config): Promise<string | null> {
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
