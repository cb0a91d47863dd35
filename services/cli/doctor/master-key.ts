import { ConfigError, type Config } from '../../../libs/config/config.ts';
import { createKeyring, type Keyring } from '../../../libs/crypto/keyring.ts';
import { KeyServiceAwayError } from '../../../libs/master-key/key-services/failure.ts';
import { readGivenKeys, type GivenKey } from '../../../libs/master-key/given.ts';
import { openKey } from '../../../libs/master-key/load.ts';
import { formatAddress } from '../../../libs/master-key/wrapped-key.ts';
import { failed, passed, type Finding } from '../../../libs/service/diagnosis/finding.ts';

type Opened = { key: Buffer | null; findings: Finding[] };

/**
 * Loads the configured master keys and reports which key service unwraps each. No keyring if any key cannot be loaded.
 */
export async function examineMasterKeys(
  config: Config,
): Promise<{ keyring: Keyring | null; findings: Finding[] }> {
  const given = readKeys(config);
  if (!Array.isArray(given)) return { keyring: null, findings: [given] };
  const opened = await Promise.all(given.map((one) => open(one, config)));
  const keys = opened.flatMap(({ key }) => key ?? []);
  const [current, ...old] = keys;
  return {
    keyring: current && keys.length === opened.length ? createKeyring(current, old) : null,
    findings: opened.flatMap(({ findings }) => findings),
  };
}

function readKeys(config: Config): GivenKey[] | Finding {
  try {
    return readGivenKeys(config);
  } catch (error) {
    return malformed(error);
  }
}

async function open(given: GivenKey, config: Config): Promise<Opened> {
  if ('key' in given) return { key: given.key, findings: [] };
  try {
    const key = await openKey(given, config);
    const detail = `${given.setting} is unwrapped by ${formatAddress(given.wrapped)}`;
    return { key, findings: [passed('key service', detail)] };
  } catch (error) {
    if (!(error instanceof KeyServiceAwayError)) return { key: null, findings: [malformed(error)] };
    const advice = 'no process can start until the key service answers; see docs/master-key.md';
    return { key: null, findings: [failed('key service', error.message, advice)] };
  }
}

function malformed(error: unknown): Finding {
  if (!(error instanceof ConfigError)) throw error;
  const advice = 'correct the master key, or allow this user to read its file';
  const [fault = ''] = error.faults;
  return failed('configuration', fault, advice);
}
