import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import type { PolicyEngineVersionKey } from './policy-engine-versions.ts';

/** The kinds of objects that use a version of the policy engine. */
export type UsageKind = 'workspaces' | 'policy-sets';

export type PolicyEngineVersionUsage = {
  policyEngineVersion: PolicyEngineVersionKey;
  kind: UsageKind;
  usageId: string;
};

/** False if the version does not exist (any more). Adding a usage twice is no error. */
export async function addPolicyEngineVersionUsage(
  db: Database,
  usage: PolicyEngineVersionUsage,
): Promise<boolean> {
  // The lock orders this against a concurrent delete: either the delete waits for this usage, or this finds no version.
  return transact(db, async (transaction) => {
    const version = await transaction('policy_engine_versions')
      .where(usage.policyEngineVersion)
      .forKeyShare()
      .first('id');
    if (!version) return false;
    await transaction('policy_engine_version_usages')
      .insert({ version_id: usage.policyEngineVersion.id, kind: usage.kind, usage_id: usage.usageId })
      .onConflict(['version_id', 'kind', 'usage_id'])
      .ignore();
    return true;
  });
}

/** Removing an absent usage is no error. */
export async function removePolicyEngineVersionUsage(
  db: Database,
  usage: PolicyEngineVersionUsage,
): Promise<void> {
  await db('policy_engine_version_usages')
    .where({ version_id: usage.policyEngineVersion.id, kind: usage.kind, usage_id: usage.usageId })
    .delete();
}
