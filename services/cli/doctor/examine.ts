import { ConfigError, loadConfig, type Config } from '../../../libs/config/config.ts';
import type { Keyring } from '../../../libs/crypto/keyring.ts';
import { connect } from '../../../libs/db/connect.ts';
import { examineBroker } from '../../../libs/service/diagnosis/broker.ts';
import { examineDatabase, type DatabaseReport } from '../../../libs/service/diagnosis/database.ts';
import { failed, ok, type Finding } from '../../../libs/service/diagnosis/finding.ts';
import { examineEgress } from './egress.ts';
import { examineMasterKeys } from './master-key.ts';

/**
 * Runs all checks, the cheap ones first. Leaves out checks that an earlier fault makes pointless. Changes nothing
 * anywhere.
 */
export async function examine(options: { egress: boolean }): Promise<Finding[]> {
  const { config, findings } = examineConfiguration();
  if (!config) return findings;
  const { keyring, findings: keys } = await examineMasterKeys(config);
  const database = await connectAndExamine(config, keyring);
  const { destinations } = database;
  return [
    ...findings,
    ...keys,
    ...database.findings,
    ...(await examineBroker(config, destinations)).findings,
    ...(options.egress ? await examineEgress(config, destinations) : []),
  ];
}

async function connectAndExamine(config: Config, keyring: Keyring | null): Promise<DatabaseReport> {
  const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-doctor' });
  try {
    return await examineDatabase(db, keyring);
  } finally {
    await db.destroy();
  }
}

function examineConfiguration(): { config: Config | null; findings: Finding[] } {
  try {
    return { config: loadConfig(), findings: [ok('configuration', 'all settings are valid')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'correct the setting; docs/configuration.md describes each';
    return { config: null, findings: error.faults.map((fault) => failed('configuration', fault, advice)) };
  }
}
