import { ConfigError, loadConfig, type Config } from '../../../libs/config/config.ts';
import { connect } from '../../../libs/db/connect.ts';
import { examineBroker } from '../../../libs/service/diagnosis/broker.ts';
import { examineTlsCertificate } from '../../../libs/service/diagnosis/tls-certificate.ts';
import { examineDatabase } from '../../../libs/service/diagnosis/database.ts';
import { failed, type Finding } from '../../../libs/service/diagnosis/finding.ts';
import { examineLoss } from '../../../libs/service/diagnosis/loss.ts';
import { readLoss } from '../../../libs/store/maintenance/lost-writes.ts';
import { askWorkers } from './ask-workers.ts';
import { examineEgress, examineRules } from './egress.ts';
import { examineMasterKeys } from './master-key.ts';
import { examineSettings } from './settings.ts';

/**
 * Runs all checks, the cheap ones first. Leaves out checks that an earlier fault makes pointless. Changes nothing
 * anywhere.
 */
export async function examine(options: { egress: boolean; url: string }): Promise<Finding[]> {
  const { config, findings } = examineConfiguration();
  if (!config) return findings;
  const { keyring, findings: keys } = await examineMasterKeys(config);
  const db = connect({ url: config.DATABASE_URL, poolSize: 2, name: 'sealift-doctor' });
  try {
    const { findings: database, destinations } = await examineDatabase(db, keyring);
    const broker = await examineBroker(config, destinations);
    const canAsk = keyring && isGood(database) && isGood(broker.findings);
    return [
      ...findings,
      ...keys,
      ...examineTlsCertificate(config),
      ...database,
      ...(isGood(database) ? [examineLoss(await readLoss(db))] : []),
      ...broker.findings,
      ...(canAsk ? await askWorkers({ config, db, keyring, url: options.url }, broker.workers) : []),
      ...(options.egress ? await examineEgress(config, destinations) : []),
    ];
  } finally {
    await db.destroy();
  }
}

function isGood(findings: Finding[]): boolean {
  return findings.every(({ state }) => state !== 'failed');
}

function examineConfiguration(): { config: Config | null; findings: Finding[] } {
  try {
    const config = loadConfig();
    return { config, findings: [...examineSettings(config), examineRules(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'correct the setting; docs/configuration.md describes each';
    return { config: null, findings: error.faults.map((fault) => failed('configuration', fault, advice)) };
  }
}
