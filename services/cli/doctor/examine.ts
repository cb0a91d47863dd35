import { ConfigError, loadConfig, type Config } from '../../../libs/config/config.ts';
import { examineBroker } from './broker.ts';
import { examineDatabase } from './database.ts';
import { examineEgress } from './egress.ts';
import { failed, ok, type Finding } from './finding.ts';
import { examineMasterKeys } from './master-key.ts';

/** All checks, the cheap ones first; what a fault makes pointless is left out. Changes nothing anywhere. */
export async function examine(options: { egress: boolean }): Promise<Finding[]> {
  const { config, findings } = examineConfiguration();
  if (!config) return findings;
  const { keyring, findings: keys } = await examineMasterKeys(config);
  const database = await examineDatabase(config, keyring);
  const { destinations } = database;
  return [
    ...findings,
    ...keys,
    ...database.findings,
    ...(await examineBroker(config, destinations)),
    ...(options.egress ? await examineEgress(config, destinations) : []),
  ];
}

function examineConfiguration(): { config: Config | null; findings: Finding[] } {
  try {
    return { config: loadConfig(), findings: [ok('configuration', 'every setting can be used')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'correct the setting; docs/configuration.md describes each';
    return { config: null, findings: error.faults.map((fault) => failed('configuration', fault, advice)) };
  }
}
