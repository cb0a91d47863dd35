import { startAwsKmsFake } from './aws-kms.ts';
import { startAzureKeysFake } from './azure-keys.ts';
import type { KeyServiceFake, KeyState } from './contract.ts';
import { startGoogleKmsFake } from './google-kms.ts';
import { startTransitFake } from './vault-transit.ts';

type Kind = {
  start: () => Promise<KeyServiceFake>;
  /** The states beside `enabled` that its keys can have, each with what Sealift makes of it. */
  states: Partial<Record<KeyState, RegExp>>;
};

const disabled = /the key is disabled, or waits for its deletion.*enable it again/;
const missing = /it has no such key.*correct the address/;
// It tells such things by words alone.
const notOurs = /the key did not wrap this/;

/** Every key service's stand-in, by the scheme of its keys' addresses. */
export const keyServiceFakes: Record<string, Kind> = {
  'aws-kms': { start: startAwsKmsFake, states: { disabled, deleting: disabled, gone: missing } },
  'azure-key-vault': { start: startAzureKeysFake, states: { disabled, deleting: missing, gone: missing } },
  'google-kms': { start: startGoogleKmsFake, states: { disabled, deleting: disabled, gone: missing } },
  'vault-transit': { start: startTransitFake, states: { disabled: notOurs, gone: notOurs } },
};
