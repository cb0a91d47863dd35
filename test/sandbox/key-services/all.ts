import { startAwsKmsFake } from './aws-kms.ts';
import type { KeyServiceFake } from './contract.ts';

/** Every key service's stand-in, by the scheme of its keys' addresses. */
export const keyServiceFakes: Record<string, () => Promise<KeyServiceFake>> = {
  'aws-kms': startAwsKmsFake,
};
