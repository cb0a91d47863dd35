import type { Database } from '../../db/connect.ts';

/** What may use a version of the policy engine. */
export type UsageKind = 'workspaces' | 'policy-sets';

/** False where there is no such version, or none any more. Telling it twice is no error. */
export async function addVersionUsage(
  db: Database,
  usage: { versionId: string; kind: UsageKind; usageId: string },
): Promise<boolean> {
  // The lock makes a delete at the same moment wait for this usage, or this usage find the version gone.
  return db.transaction(async (transaction) => {
    const version = await transaction('policy_engine_versions')
      .where({ id: usage.versionId })
      .forKeyShare()
      .first('id');
    if (!version) return false;
    await transaction('policy_engine_version_usages')
      .insert({ version_id: usage.versionId, kind: usage.kind, usage_id: usage.usageId })
      .onConflict(['version_id', 'kind', 'usage_id'])
      .ignore();
    return true;
  });
}

/** Removing what is not there is no error. */
export async function removeVersionUsage(
  db: Database,
  usage: { versionId: string; kind: UsageKind; usageId: string },
): Promise<void> {
  await db('policy_engine_version_usages')
    .where({ version_id: usage.versionId, kind: usage.kind, usage_id: usage.usageId })
    .delete();
}
