import type { KeyServiceConfig } from '../config/key-service.ts';
import type { KeyService } from './key-services/key-service.ts';

type Kind = {
  /** The form of a key's name. */
  key: RegExp;
  example: string;
  /** Loads the vendor's library only when it is needed. */
  open: (key: string, config: KeyServiceConfig) => Promise<KeyService>;
};

/** The key services that can wrap a master key, by the scheme of the key's address. */
export const services: Record<string, Kind> = {
  'aws-kms': {
    key: /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:(?:key|alias)\/[\w/-]{1,256}$/,
    example: 'aws-kms://arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    open: async (key) => (await import('./key-services/aws-kms.ts')).openAwsKey(key),
  },
  'azure-key-vault': {
    key: /^[a-z0-9.-]{1,253}(?::\d{1,5})?\/keys\/[0-9a-zA-Z-]{1,127}(?:\/[0-9a-f]{32})?$/,
    example: 'azure-key-vault://name.vault.azure.net/keys/sealift',
    open: async (key) => (await import('./key-services/azure-key-vault.ts')).openAzureKey(key),
  },
  'google-kms': {
    key: /^projects\/[\w.:-]{1,128}\/locations\/[\w-]{1,63}\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/,
    example: 'google-kms://projects/acme/locations/europe-west1/keyRings/sealift/cryptoKeys/master-key',
    open: async (key, config) => (await import('./key-services/google-kms.ts')).openGoogleKey(key, config),
  },
  'vault-transit': {
    key: /^(?:[\w.-]{1,128}\/){1,16}[\w.-]{1,128}$/,
    example: 'vault-transit://transit/sealift',
    open: async (key, config) =>
      (await import('./key-services/vault-transit.ts')).openTransitKey(key, config),
  },
};
