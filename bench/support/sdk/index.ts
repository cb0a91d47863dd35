import type { Settings, Write } from './write.ts';

type Sdk = { open: (settings: Settings) => Promise<Write> };

/** Opens each store's SDK for the bare loop, by destination type. The SDK is loaded at the call. */
export const sdks: Record<string, () => Promise<Sdk>> = {
  'cloud1-sm': () => import('./cloud1-sm.ts'),
  'cloud2-kv': () => import('./cloud2-kv.ts'),
  'cloud3-sm': () => import('./cloud3-sm.ts'),
  'hosting-project': () => import('./hosting-project.ts'),
  'repo-host': () => import('./repo-host.ts'),
};
