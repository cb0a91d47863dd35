import type {
  Arch,
  Collection,
  PolicyEngineVersion,
} from '../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import type { PolicyEngineVersionAnswer } from '../contract/administration.ts';
import { maskUrls } from '../../../libs/validation/told.ts';
import { presentChangedMeta } from './changed.ts';

/**
 * A version as a JSON API resource; url and sha are those of linux/amd64, null if there is no such build. Credentials in a
 * URL, which earlier versions took, are masked.
 */
export function presentPolicyEngineVersion(
  collection: Collection,
  version: PolicyEngineVersion,
): PolicyEngineVersionAnswer {
  const main = mainArch(version.archs);
  return {
    id: version.id,
    type: collection,
    attributes: {
      version: version.version,
      url: main ? maskUrls(main.url) : null,
      sha: main?.sha ?? null,
      deprecated: version.deprecated,
      'deprecated-reason': version.deprecatedReason,
      official: version.official,
      enabled: version.enabled,
      beta: version.beta,
      usage: version.usage,
      'created-at': version.createdAt.toISOString(),
      archs: version.archs.map(({ url, sha, os, arch }) => ({ url: maskUrls(url), sha, os, arch })),
    },
    meta: presentChangedMeta(version),
  };
}

/** The build to which a version's own url and sha belong. */
export function mainArch(archs: Arch[]): Arch | undefined {
  return archs.find(({ os, arch }) => os === 'linux' && arch === 'amd64');
}
