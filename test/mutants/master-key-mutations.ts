import type { Mutation } from './mutation.ts';

const SERVICES = 'libs/master-key/key-services';

/** Mutations of master keys that key services wrap. */
export const masterKeyMutations: Mutation[] = [
  {
    name: 'nothing binds what AWS wraps to its purpose',
    file: `${SERVICES}/aws-kms.ts`,
    find: 'EncryptionContext: BINDING };',
    replace: 'EncryptionContext: BINDING.purpose === "" ? BINDING : {} };',
    tests: ['master-key/wrap.test.js'],
  },
  {
    name: 'what Azure unwraps counts as a master key whatever it begins with',
    file: `${SERVICES}/azure-key-vault.ts`,
    find: 'const PREFIX = Buffer.from(BINDING_TEXT);',
    replace: 'const PREFIX = Buffer.from(BINDING_TEXT).subarray(0, 0);',
    tests: ['master-key/wrap.test.js'],
  },
  {
    name: 'a call to a key service has no limit',
    file: 'libs/master-key/unwrap.ts',
    find: 'return await Promise.race([whenEnded(ending), use(opened, ending)]);',
    replace:
      'void whenEnded(ending).catch(() => undefined); return await use(opened, new AbortController().signal);',
    tests: ['master-key/wrap.test.js'],
  },
  {
    name: 'a starting process asks a key service for ever',
    file: 'libs/master-key/load.ts',
    find: 'maxRetryTime: limitMs,',
    replace: 'maxRetryTime: limitMs * 1000,',
    tests: ['e2e/wrapped-master-key.test.js'],
  },
];
