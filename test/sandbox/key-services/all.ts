import { startAwsKmsFake } from './aws-kms.ts';
import { startAzureKeysFake } from './azure-keys.ts';
import type { KeyServiceFake, KeyState } from './contract.ts';
import { startGoogleKmsFake } from './google-kms.ts';
import { startTransitFake } from './vault-transit.ts';

type Kind = {
  start: () => Promise<KeyServiceFake>;
  /** The states other than `enabled` that its keys can have, each with Sealift's error message. */
  states: Partial<Record<KeyState, RegExp>>;
};

const disabled = /the key is disabled, or will soon be deleted.*enable it again/;
const missing = /it has no such key.*correct the address/;
// Vault answers these states with 400, like a wrong ciphertext. Only its text differs.
const notOurs = /this key did not wrap the value/;

/** The stand-ins of all key services, by the scheme of their key addresses. */
export const keyServiceFakes: Record<string, Kind> = {
  'aws-kms': { start: startAwsKmsFake, states: { disabled, deleting: disabled, gone: missing } },
  'azure-key-vault': { start: startAzureKeysFake, states: { disabled, deleting: missing, gone: missing } },
  'google-kms': { start: startGoogleKmsFake, states: { disabled, deleting: disabled, gone: missing } },
  'vault-transit': { start: startTransitFake, states: { disabled: notOurs, gone: notOurs } },
};
