import type { Fake, FakeOptions } from './fake-server.ts';
import { startCloud1SmFake } from './aws-secrets-manager/fake.ts';
import { startCloud2KvFake } from './azure-key-vault/fake.ts';
import { startCloud3SmFake } from './google-secret-manager/fake.ts';
import { startHostingProjectFake } from './vercel-env/fake.ts';
import { startRepoHostFake } from './github-secrets/fake.ts';

/** All fakes, by destination type; one line each. */
export const fakes: Record<string, (options?: FakeOptions) => Promise<Fake>> = {
  'cloud1-sm': startCloud1SmFake,
  'cloud2-kv': startCloud2KvFake,
  'cloud3-sm': startCloud3SmFake,
  'hosting-project': startHostingProjectFake,
  'repo-host': startRepoHostFake,
};
