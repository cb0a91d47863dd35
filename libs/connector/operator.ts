import { listSetting } from '../config/config.ts';
import type { OperatorSettings } from './contract.ts';

type Config = { EGRESS_ALLOW: string; AMBIENT_CREDENTIALS: 'none' | 'root' | 'all' };

/** What the operator allows destinations of a namespace; `namespace` is its path, empty for the root namespace. */
export function operatorSettings(
  config: Config,
  namespace: string,
  environment: OperatorSettings['environment'],
): OperatorSettings {
  const { EGRESS_ALLOW, AMBIENT_CREDENTIALS: ambient } = config;
  const forbidsAmbient = ambient === 'none' || (ambient === 'root' && namespace !== '');
  return { environment, egressAllow: listSetting(EGRESS_ALLOW), namespace, forbidsAmbient };
}
