import { ConfigError, listSetting, loadConfig, type Config } from '../../../libs/config/config.ts';
import { loadKeyring, type Keyring } from '../../../libs/crypto/keyring.ts';
import { examineBroker } from './broker.ts';
import { examineDatabase } from './database.ts';
import { examineEgress } from './egress.ts';
import { failed, ok, type Finding } from './finding.ts';

/** All checks, the cheap ones first; what a fault makes pointless is left out. Changes nothing anywhere. */
export async function examine(options: { egress: boolean }): Promise<Finding[]> {
  const { config, findings } = examineConfiguration();
  if (!config) return findings;
  const { keyring, finding } = examineMasterKey(config);
  const database = await examineDatabase(config, keyring);
  const { destinations } = database;
  return [
    ...findings,
    ...(finding ? [finding] : []),
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

function examineMasterKey(config: Config): { keyring: Keyring | null; finding?: Finding } {
  try {
    const keyring = loadKeyring({
      key: config.SEALIFT_MASTER_KEY,
      file: config.SEALIFT_MASTER_KEY_FILE,
      oldKeys: listSetting(config.SEALIFT_OLD_MASTER_KEYS),
    });
    return { keyring };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'correct the master key, or let this user read its file';
    const [fault = ''] = error.faults;
    return { keyring: null, finding: failed('configuration', fault, advice) };
  }
}
