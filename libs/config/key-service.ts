import { Type, type Static } from 'typebox';
import { readSettings } from './read-settings.ts';

/**
 * Settings of the services that unwrap master keys. The vendors' libraries read the variables of AWS, Google and Azure
 * themselves.
 */
export const keyServiceSettings = {
  SEALIFT_MASTER_KEY_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 60_000,
    description:
      'How long a process tries at its start to get wrapped master keys unwrapped. In milliseconds.',
  }),
  SEALIFT_GOOGLE_KMS_URL: Type.String({
    default: '',
    description: 'Address of Google Cloud KMS. Empty: its public address.',
  }),
  VAULT_ADDR: Type.String({
    default: '',
    description: 'Address of the Vault whose transit engine wraps master keys: https, or http on this host.',
  }),
  VAULT_TOKEN: Type.String({ default: '', sensitive: true, description: 'Token for that Vault.' }),
  VAULT_TOKEN_FILE: Type.String({
    default: '',
    description: 'File that holds the token; use it instead of VAULT_TOKEN.',
  }),
  VAULT_NAMESPACE: Type.String({ default: '', description: 'Namespace of the transit engine.' }),
  VAULT_CACERT: Type.String({
    default: '',
    description: "PEM file of one more authority that may sign Vault's certificate.",
  }),
};

const schema = Type.Object(keyServiceSettings);

export type KeyServiceConfig = Static<typeof schema>;

/** Only these settings, for use without an installation. Throws ConfigError. */
export function loadKeyServiceConfig(environment: NodeJS.ProcessEnv = process.env): KeyServiceConfig {
  return readSettings(schema, environment);
}
