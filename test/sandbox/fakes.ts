import type { Fake, FakeOptions } from './fake-server.ts';
import { startCloud1SmFake } from './cloud1-sm/fake.ts';
import { startCloud2KvFake } from './cloud2-kv/fake.ts';
import { startCloud3SmFake } from './cloud3-sm/fake.ts';
import { startHostingProjectFake } from './hosting-project/fake.ts';
import { startRepoHostFake } from './repo-host/fake.ts';

/** Every fake there is, by destination type; one line each. */
export const fakes: Record<string, (options?: FakeOptions) => Promise<Fake>> = {
  'cloud1-sm': startCloud1SmFake,
  'cloud2-kv': startCloud2KvFake,
  'cloud3-sm': startCloud3SmFake,
  'hosting-project': startHostingProjectFake,
  'repo-host': startRepoHostFake,
};
