import type { Database } from '../../db/connect.ts';
import type { PolicyEngineVersionKey } from './policy-engine-versions.ts';

/** What may use a version of the policy engine. */
export type UsageKind = 'workspaces' | 'policy-sets';

export type PolicyEngineVersionUsage = {
  policyEngineVersion: PolicyEngineVersionKey;
  kind: UsageKind;
  usageId: string;
};

/** False where there is no such version, or none any more. Telling it twice is no error. */
export async function addPolicyEngineVersionUsage(
  db: Database,
  usage: PolicyEngineVersionUsage,
): Promise<boolean> {
  // The lock makes a delete at the same moment wait for this usage, or this usage find the version gone.
  return db.transaction(async (transaction) => {
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

/** Removing what is not there is no error. */
export async function removePolicyEngineVersionUsage(
  db: Database,
  usage: PolicyEngineVersionUsage,
): Promise<void> {
  await db('policy_engine_version_usages')
    .where({ version_id: usage.policyEngineVersion.id, kind: usage.kind, usage_id: usage.usageId })
    .delete();
}
