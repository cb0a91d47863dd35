import { Type, type Static } from 'typebox';
import { readSettings } from './read-settings.ts';

/** The settings of the services that unwrap master keys; AWS', Google's and Azure's own variables are read by their libraries. */
export const keyServiceSettings = {
  SEALIFT_MASTER_KEY_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 60_000,
    description: 'How long a starting process tries to have wrapped master keys unwrapped. Milliseconds.',
  }),
};

const schema = Type.Object(keyServiceSettings);

export type KeyServiceConfig = Static<typeof schema>;

/** These settings alone, for who has no installation. Throws ConfigError. */
export function loadKeyServiceConfig(environment: NodeJS.ProcessEnv = process.env): KeyServiceConfig {
  return readSettings(schema, environment);
}
