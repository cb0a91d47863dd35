import type { KeyServiceConfig } from '../config/key-service.ts';
import type { KeyService } from './key-services/key-service.ts';

type Kind = {
  /** What a key of it is named like. */
  key: RegExp;
  example: string;
  /** Its library is loaded only here. */
  open: (key: string, config: KeyServiceConfig) => Promise<KeyService>;
};

/** The key services that can wrap a master key, by the scheme of a key's address. */
export const services: Record<string, Kind> = {
  'aws-kms': {
    key: /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:(?:key|alias)\/[\w/-]{1,256}$/,
    example: 'aws-kms://arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    open: async (key) => (await import('./key-services/aws-kms.ts')).openAwsKey(key),
  },
};
