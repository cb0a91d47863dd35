import type { Client, Options } from './client.ts';
import { cloud1Sm } from './cloud1-sm.ts';
import { cloud2Kv } from './cloud2-kv.ts';
import { cloud3Sm } from './cloud3-sm.ts';
import { hostingProject } from './hosting-project.ts';
import { repoHost } from './repo-host.ts';

/** Hand-made clients of the stores, by destination type: undici and the fewest bytes that each store takes. */
export const clients: Record<string, (options: Options) => Client> = {
  'cloud1-sm': cloud1Sm,
  'cloud2-kv': cloud2Kv,
  'cloud3-sm': cloud3Sm,
  'hosting-project': hostingProject,
  'repo-host': repoHost,
};
