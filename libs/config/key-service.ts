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
    description: 'How long a starting process tries to have wrapped master keys unwrapped. Milliseconds.',
  }),
  SEALIFT_GOOGLE_KMS_URL: Type.String({
    default: '',
    description: 'Address of Google Cloud KMS, where it is not its public one.',
  }),
  VAULT_ADDR: Type.String({
    default: '',
    description: 'Address of the Vault whose transit engine wraps master keys (https, or this host).',
  }),
  VAULT_TOKEN: Type.String({ default: '', sensitive: true, description: 'The token to call it with.' }),
  VAULT_TOKEN_FILE: Type.String({ default: '', description: 'A file that holds the token, instead.' }),
  VAULT_NAMESPACE: Type.String({ default: '', description: 'The namespace of the transit engine.' }),
  VAULT_CACERT: Type.String({
    default: '',
    description: 'PEM file of an authority that the certificate of Vault may be from, beside the usual ones.',
  }),
};

const schema = Type.Object(keyServiceSettings);

export type KeyServiceConfig = Static<typeof schema>;

/** Only these settings, for use without an installation. Throws ConfigError. */
export function loadKeyServiceConfig(environment: NodeJS.ProcessEnv = process.env): KeyServiceConfig {
  return readSettings(schema, environment);
}
